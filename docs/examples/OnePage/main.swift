import RectoKit

let document = try Document("book.pdf")
let png = try await document.png(page: 4, dpi: 144)
try Files.write(png, to: "page-5.png")
