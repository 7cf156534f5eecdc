// Keeps the site's files, so that it opens without a network after the first visit. The name of the cache has the digest of all
// files: a new edition replaces the old one.
const CACHE = 'site-{digest}'
const FILES = /** @type {string[]} */ (JSON.parse('{files}'))

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis))

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  )
})

/** Removes the caches of earlier editions. */
async function replaceEarlier() {
  const names = await caches.keys()
  const earlier = names.filter((name) => name.startsWith('site-') && name !== CACHE)
  await Promise.all(earlier.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

worker.addEventListener('activate', (event) => event.waitUntil(replaceEarlier()))

/** A recording is kept when it is first opened: all together they are larger than the page. */
async function answered(/** @type {Request} */ request) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request, { ignoreSearch: true })
  if (kept !== undefined) return kept
  const response = await fetch(request)
  // A full disk keeps nothing, and the page works all the same.
  if (response.ok) await cache.put(request, response.clone()).catch(() => undefined)
  return response
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const isOurs = request.method === 'GET' && request.url.startsWith(worker.registration.scope)
  if (isOurs) event.respondWith(answered(request))
})
