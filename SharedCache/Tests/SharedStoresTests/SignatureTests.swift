import SharedStores
import Testing
