// Addresses on the server, which may be below a path of another one.

/** The address of the server: the modules of the viewer are in a folder of it. */
const root = new URL("..", import.meta.url).href;

/** The whole address for a path on the server, which may be a template. */
export function address(path) {
  return root + path.replace(/^\//, "");
}
