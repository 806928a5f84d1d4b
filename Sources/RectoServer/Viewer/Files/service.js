// The service worker: answers with the files of the viewer that were kept when the server is gone. Pictures and what was
// replied about pages are in the same cache (kept.js), which pages read themselves.

const root = self.registration.scope;
/** Answers of a proxy whose server is gone. */
const gone = [502, 503, 504];

self.addEventListener("install", (event) => {
  // Requests for anything else do not wait for this program.
  for (const path of ["api", "deepzoom", "iiif", "pictures", "thumbnails", "tiles"]) {
    const pathname = `${new URL(root).pathname}${path}/*`;
    event.addRoutes?.({ condition: { urlPattern: { pathname } }, source: "network" });
  }
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const path = event.request.url.startsWith(root) ? event.request.url.slice(root.length) : null;
  if (event.request.method === "GET" && path !== null && /^(view\/|viewer\/|[?#]|$)/.test(path)) {
    event.respondWith(answer(event));
  }
});

async function answer(event) {
  let response;
  try {
    response = await fetch(event.request);
    if (response.ok) event.waitUntil(keep(event.request.url, response.clone()));
    if (!gone.includes(response.status)) return response;
  } catch {
    response = Response.error();
  }
  const cache = await caches.open("recto");
  const page = event.request.url.split(/[?#]/)[0];
  const known = await cache.match(page);
  if (known || page !== root) return known ?? response;
  // The list of documents, also if the server had only one and led to it.
  const list = await cache.match(`${root}viewer/library.html`);
  return list ? new Response(list.body, { headers: list.headers }) : response;
}

async function keep(address, response) {
  const cache = await caches.open("recto");
  await cache.put(address.split(/[?#]/)[0], response);
}
