// Preloaded into VS Code's server. VS Code's page encrypts SecretStorage with a key from `POST /mint-key`.
// code-server's proxy answers that request, but the server is started without it here. Without an answer,
// secrets are lost when the window closes.
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
  response.end(readMintedKey());
  return true;
};

/** Returns 32 bytes that stay the same as long as the user data folder exists. */
function readMintedKey() {
  try {
    return readFileSync(file);
  } catch {
    const key = randomBytes(32);
    writeFileSync(file, key, { mode: 0o600 });
    return key;
  }
}
