/** A foreign page's attempts on an origin: an expression for `page.evaluate`, which resolves to the result of each. */
export function foreignWays(origin: string): string {
  return `(async (origin) => {
    const outcome = (start) => Promise.race([new Promise((resolve) => start(() => resolve('answered'), () => resolve('refused'))), new Promise((resolve) => setTimeout(resolve, 4000, 'nothing came'))]);
    const asked = (path, init) => outcome((answered, refused) => fetch(origin + path, { credentials: 'include', ...init }).then(answered, refused));
    const loaded = (element) => outcome((answered, refused) => document.body.append(Object.assign(element, { onload: answered, onerror: refused })));
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: origin }));
    const ways = {
      read: asked('/api/layers', {}),
      change: asked('/api/approvals', json),
      enter: asked('/api/enter', json),
      events: outcome((answered, refused) => Object.assign(new EventSource(origin + '/api/stream', { withCredentials: true }), { onopen: answered, onerror: refused })),
      socket: outcome((answered, refused) => Object.assign(new WebSocket(origin.replace('http', 'ws') + '/api/stream'), { onopen: answered, onerror: refused })),
      script: loaded(Object.assign(document.createElement('script'), { src: origin + '/page.js' })),
      style: loaded(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: origin + '/page.css' })),
      image: loaded(Object.assign(document.createElement('img'), { src: origin + '/icon.svg' })),
    };
    return Object.fromEntries(await Promise.all(Object.entries(ways).map(async ([name, way]) => [name, await way])));
  })(${JSON.stringify(origin)})`;
}
