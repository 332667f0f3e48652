import assert from 'node:assert/strict';
import { readNetworkFailure } from '../../src/client/networkFailure';

/** Returns the code, the reason, and whether certainly nothing was sent. */
function read(error: unknown): string {
  const { code, reason, unsent } = readNetworkFailure(error);
  return `${[code, reason].filter((part) => part !== undefined).join(' ')}${unsent ? ', unsent' : ''}`;
}

describe('readNetworkFailure', () => {
  const failures: Readonly<Record<string, string>> = {
    ENOTFOUND: 'unreachable dns, unsent',
    EAI_AGAIN: 'unreachable dns, unsent',
    ENODATA: 'unreachable dns, unsent',
    ECONNREFUSED: 'unreachable refused, unsent',
    X_ECONNREFUSED: 'unreachable network',
    ECONNREFUSED_X: 'unreachable network',
    CERT_HAS_EXPIRED: 'unreachable certificate, unsent',
    ERR_TLS_CERT_ALTNAME_INVALID: 'unreachable certificate, unsent',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'unreachable certificate, unsent',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unreachable certificate, unsent',
    HOSTNAME_MISMATCH: 'unreachable certificate, unsent',
    INVALID_CA: 'unreachable certificate, unsent',
    INVALID_PURPOSE: 'unreachable certificate, unsent',
    EPROTO: 'unreachable tls',
    ERR_SSL_WRONG_VERSION_NUMBER: 'unreachable tls',
    ERR_TLS_HANDSHAKE_TIMEOUT: 'unreachable tls',
    ERR_PROXY_CONNECT: 'unreachable proxy, unsent',
    ECONNRESET: 'unreachable reset',
    EPIPE: 'unreachable reset',
    ECONNABORTED: 'unreachable reset',
    UND_ERR_SOCKET: 'unreachable reset',
    UND_ERR_CONNECT_TIMEOUT: 'timeout connect, unsent',
    ETIMEDOUT: 'timeout',
    ETIMEDOUT_X: 'unreachable network',
    X_ETIMEDOUT: 'unreachable network',
    UND_ERR_HEADERS_TIMEOUT: 'timeout',
    UND_ERR_BODY_TIMEOUT: 'timeout',
    HPE_INVALID_CONSTANT: 'invalidResponse http',
    X_HPE_INVALID_CONSTANT: 'unreachable network',
    UND_ERR_HEADERS_OVERFLOW: 'invalidResponse http',
    UND_ERR_HEADERS_OVERFLOW_X: 'unreachable network',
    ERR_HTTP_INVALID_HEADER_VALUE: 'invalidResponse http',
    ERR_CONTENT_ENCODING: 'invalidResponse http',
    ERR_CONTENT_ENCODING_X: 'unreachable network',
    ENETUNREACH: 'unreachable network',
  };
  for (const [code, expected] of Object.entries(failures)) {
    it(`reads ${code} as ${expected}`, () => {
      assert.equal(read({ code }), expected);
      assert.equal(read(new TypeError('fetch failed', { cause: { code } })), expected);
    });
  }

  it('knows that nothing was sent if there was no connection', () => {
    assert.equal(read({ code: 'ECONNRESET', syscall: 'connect' }), 'unreachable reset, unsent');
    assert.equal(read({ code: 'ECONNRESET', connected: false }), 'unreachable reset, unsent');
    assert.equal(read({ code: 'ECONNRESET', syscall: 'read', connected: true }), 'unreachable reset');
    assert.equal(read({ code: 'ETIMEDOUT', syscall: 'connect' }), 'timeout connect, unsent');
    assert.equal(read({ code: 'UND_ERR_HEADERS_TIMEOUT', connected: false }), 'timeout, unsent');
  });

  it('reads the first of several addresses if the whole has no code', () => {
    const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
    assert.equal(read({ errors: [refused, { code: 'ETIMEDOUT' }] }), 'unreachable refused, unsent');
    assert.equal(read({ code: 'ENETUNREACH', errors: [refused] }), 'unreachable network, unsent');
    assert.equal(read({ errors: [] }), 'unreachable network');
  });

  it('describes a failure without the text of the transport, which quotes headers', () => {
    for (const [error, message] of [
      [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'connection timed out'],
      [{ code: 'ETIMEDOUT' }, 'no response in time'],
      [{ code: 'HPE_INVALID_CONSTANT' }, 'invalid HTTP response (HPE_INVALID_CONSTANT)'],
      [{ code: 'ECONNREFUSED' }, 'connection refused (ECONNREFUSED)'],
      [{ code: 'ENETUNREACH' }, 'no connection (ENETUNREACH)'],
      [new TypeError('Bearer key'), 'no connection (no details)'],
      [{ code: 'Bearer key' }, 'no connection (no details)'],
      [{ code: 'bearer KEY' }, 'no connection (no details)'],
      [{ code: 'KEY bearer' }, 'no connection (no details)'],
      [{ code: 'K'.repeat(61) }, 'no connection (no details)'],
      [{ code: 1, syscall: 2, connected: 'no' }, 'no connection (no details)'],
      [null, 'no connection (no details)'],
      [undefined, 'no connection (no details)'],
      ['Bearer key', 'no connection (no details)'],
    ] as const) {
      const failure = readNetworkFailure(error);
      assert.deepEqual([failure.message, failure.unsent], [message, /timed out|refused/.test(message)]);
    }
  });
});
