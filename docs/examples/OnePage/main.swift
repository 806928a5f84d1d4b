import RectoKit

let document = try Document("book.pdf")
let page = try await document.picture(of: 4, geometry: PictureGeometry(size: .resolution(144)))
try Files.write(page.bytes, to: "page-5.png")
