import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that should never be reached, with a record of what reached it. */
export interface Canary {
  /** All vectors of the attack, each with an address of its own below `run`. */
  createVectors(run: string): readonly Vector[];
  /** The vectors of a run that have reached the server so far. */
  hits(run: string): readonly string[];
  /** Resolves once all of these vectors have reached the server. */
  untilHit(run: string, names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface Vector {
  readonly name: string;
  readonly text: string;
}

/** Starts the canary's server: it answers every request and records it. */
export async function startCanary(): Promise<Canary> {
  const seen = new Set<string>();
  let told: () => void = () => undefined;
  const server = createServer((request, response) => {
    seen.add(new URL(request.url ?? '/', 'http://canary').pathname);
    told();
    response.setHeader('Access-Control-Allow-Origin', '*').end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hits = (run: string) =>
    [...seen].filter((path) => path.startsWith(`/${run}/`)).map((path) => path.slice(run.length + 2));
  return {
    createVectors: (run) => vectors((name) => `${origin}/${run}/${name}`),
    hits,
    async untilHit(run, names) {
      while (!names.every((name) => hits(run).includes(name))) {
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function vectors(at: (name: string) => string): Vector[] {
  const html: Readonly<Record<string, (url: string) => string>> = {
    image: (url) => `<img src="${url}">`,
    srcset: (url) => `<img srcset="${url} 1x">`,
    picture: (url) => `<picture><source srcset="${url}"><img></picture>`,
    'input-image': (url) => `<input type="image" src="${url}">`,
    'error-handler': (url) => `<img src="data:," onerror="fetch('${url}')">`,
    'css-background': (url) => `<p style="background: url(${url})">a</p>`,
    'css-sheet': (url) => `<style>body { background-image: url(${url}) }</style>`,
    'css-import': (url) => `<style>@import "${url}";</style>`,
    'css-font': (url) =>
      `<style>@font-face { font-family: x; src: url(${url}) }</style><i style="font-family: x">a</i>`,
    'css-link': (url) => `<link rel="stylesheet" href="${url}">`,
    'link-preload': (url) => `<link rel="preload" as="image" href="${url}">`,
    'link-prefetch': (url) => `<link rel="prefetch" href="${url}">`,
    'svg-image': (url) => `<svg><image href="${url}" width="9" height="9"/></svg>`,
    'svg-handler': (url) => `<svg><animate onbegin="fetch('${url}')" attributeName="x" dur="1s"/></svg>`,
    poster: (url) => `<video poster="${url}"></video>`,
    video: (url) => `<video src="${url}"></video>`,
    audio: (url) => `<audio src="${url}" preload="auto"></audio>`,
    iframe: (url) => `<iframe src="${url}"></iframe>`,
    srcdoc: (url) => `<iframe srcdoc="<img src='${url}'>"></iframe>`,
    object: (url) => `<object data="${url}"></object>`,
    embed: (url) => `<embed src="${url}">`,
    'meta-refresh': (url) => `<meta http-equiv="refresh" content="0;url=${url}">`,
  };
  /** These need a click. */
  const clicked: Readonly<Record<string, (url: string) => string>> = {
    form: (url) => `<form action="${url}" target="f1"><button>go</button></form><iframe name="f1"></iframe>`,
    formaction: (url) =>
      `<form target="f2"><button formaction="${url}">go</button></form><iframe name="f2"></iframe>`,
    ping: (url) => `<a href="#" ping="${url}">go</a>`,
    link: (url) => `<a href="${url}" target="f3">go</a><iframe name="f3"></iframe>`,
  };
  const markdown: Readonly<Record<string, (url: string) => string>> = {
    'markdown-image': (url) => `![a](${url} "t")`,
    'markdown-reference': (url) => `![a][r]\n\n[r]: ${url}`,
    'markdown-nested': (url) => `> - **![a](${url})**`,
    'markdown-table': (url) => `| a |\n|---|\n| ![a](${url}) |`,
    'markdown-fence': (url) => `\`\`\`"><img src="${url}">\nx\n\`\`\``,
    'markdown-math': (url) => `$\\href{${url}}{a} \\includegraphics{${url}}$`,
  };
  return Object.entries({ ...html, ...clicked, ...markdown }).map(([name, text]) => ({
    name,
    text: text(at(name)),
  }));
}

/** Returns the vectors that need no Markdown: any page that parses them as HTML is vulnerable to them. */
export function getHtmlVectors(all: readonly Vector[]): readonly Vector[] {
  return all.filter(({ name }) => !name.startsWith('markdown-'));
}
