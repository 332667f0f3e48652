// Preloaded into VS Code's server. Its page seals SecretStorage with a key that it asks `POST /mint-key` for; code-server
// answers that in front of the server, which we start without it. Without an answer, secrets die with the window.
const { randomBytes } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const http = require('node:http');

const file = process.env.PARLEY_MINT_KEY_FILE;
const { emit } = http.Server.prototype;

http.Server.prototype.emit = function emitOrMint(event, ...args) {
  const [request, response] = args;
  if (event !== 'request' || request.method !== 'POST' || !/^\/mint-key(\?|$)/.test(request.url)) {
    return emit.call(this, event, ...args);
  }
  response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
  response.end(mintedKey());
  return true;
};

/** The same 32 bytes for as long as the user's folder lives. */
function mintedKey() {
  try {
    return readFileSync(file);
  } catch {
    const key = randomBytes(32);
    writeFileSync(file, key, { mode: 0o600 });
    return key;
  }
}
