import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../src/client/baseUrl';
import { findUrlProblem, isLoopback } from '../../src/client/urlRules';

function getUrl(text: string): string {
  const parsed = parseBaseUrl(text);
  assert.ok(parsed.ok, `${text} is refused`);
  return parsed.url;
}

describe('parseBaseUrl', () => {
  it('accepts a complete base URL, and trims it and its trailing slashes', () => {
    assert.equal(getUrl(' https://api.example.com/api/v1/ '), 'https://api.example.com/api/v1');
    assert.equal(getUrl('HTTPS://API.example.com:443/api/v1//'), 'https://api.example.com/api/v1');
    assert.equal(getUrl('https://example.com/tenant/api/v1'), 'https://example.com/tenant/api/v1');
    assert.equal(getUrl('https://example.com'), 'https://example.com');
  });

  it('returns the origin, which is the only one to receive the key', () => {
    const parsed = parseBaseUrl('https://api.example.com:8443/api/v1');
    assert.equal(parsed.ok && parsed.origin, 'https://api.example.com:8443');
  });

  it('accepts http: only on loopback', () => {
    for (const host of ['localhost', '127.0.0.1', '127.10.20.30', '127.1', '[::1]'])
      getUrl(`http://${host}:3000/api/v1`);
    for (const host of [
      'example.com',
      '127.example.com',
      'localhost.example.com',
      'api.localhost',
      '10.0.0.1',
      '0.0.0.0',
      '[::2]',
    ]) {
      assert.deepEqual(parseBaseUrl(`http://${host}/api/v1`), { ok: false, problem: 'notHttps' }, host);
    }
  });

  it('suggests the version path when it is missing', () => {
    const offers = {
      'https://example.com': 'https://example.com/api/v1',
      'https://example.com/': 'https://example.com/api/v1',
      'https://example.com/api': 'https://example.com/api/v1',
      'https://example.com/chat': 'https://example.com/chat/api/v1',
      'https://example.com/apis': 'https://example.com/apis/api/v1',
      'https://example.com/v1/chat': 'https://example.com/v1/chat/api/v1',
    };
    for (const [text, offer] of Object.entries(offers)) {
      const parsed = parseBaseUrl(text);
      assert.deepEqual(parsed.ok && [parsed.hasVersionPath, parsed.withVersionPath], [false, offer], text);
    }
    for (const url of ['https://example.com/api/v1', 'https://example.com/v12']) {
      const parsed = parseBaseUrl(url);
      assert.deepEqual(parsed.ok && [parsed.hasVersionPath, parsed.withVersionPath], [true, url]);
    }
  });

  it('refuses invalid base URLs with the reason', () => {
    const problems = {
      '': 'notAbsolute',
      'example.com/api/v1': 'notAbsolute',
      'localhost:3000/api/v1': 'notAbsolute',
      '/api/v1': 'notAbsolute',
      '1https://example.com/api/v1': 'notAbsolute',
      'localhost:https://example.com': 'notAbsolute',
      'ftp://localhost/api/v1': 'notHttps',
      'https://': 'notAbsolute',
      'ftp://example.com/api/v1': 'notHttps',
      'file:///etc/passwd': 'notHttps',
      'https://user:secret@example.com/api/v1': 'hasCredentials',
      'https://user@example.com/api/v1': 'hasCredentials',
      'https://example.com/api/v1?key=1': 'hasQuery',
      'https://example.com/api/v1?': 'hasQuery',
      'https://example.com/api/v1#top': 'hasFragment',
    };
    for (const [text, problem] of Object.entries(problems)) {
      assert.deepEqual(parseBaseUrl(text), { ok: false, problem }, text);
    }
  });
});

describe('findUrlProblem', () => {
  const api = 'https://api.example.com';

  it('accepts https:, and loopback http: from a service on loopback', () => {
    assert.equal(findUrlProblem('https://bucket.example.com/a?b=c', api), undefined);
    for (const url of ['http://127.0.0.1:9000/a', 'http://[::1]:9000/a']) {
      assert.equal(findUrlProblem(url, 'http://localhost:3000'), undefined, url);
      assert.equal(findUrlProblem(url, 'https://[::1]:3000'), undefined, url);
    }
  });

  it('refuses plain http: to this machine from a service elsewhere [attack: upload URL]', () => {
    for (const url of ['http://127.0.0.1:2375/a', 'http://[::1]/a', 'http://localhost/'])
      assert.equal(findUrlProblem(url, api), 'notHttps', url);
  });

  it('refuses plain http:, other schemes, userinfo and relative URLs [attack: upload URL]', () => {
    assert.equal(findUrlProblem('http://bucket.example.com/a', api), 'notHttps');
    for (const url of ['file:///etc/passwd', 'data:,x', 'ftp://127.0.0.1/', 'blob:https://example.com/1']) {
      assert.equal(findUrlProblem(url, api), 'notHttps', url);
    }
    assert.equal(findUrlProblem('https://a@bucket.example.com/', api), 'hasCredentials');
    assert.equal(findUrlProblem('https://:b@bucket.example.com/', api), 'hasCredentials');
    assert.equal(findUrlProblem('//bucket.example.com/', api), 'notAbsolute');
  });

  it('refuses link-local addresses in any notation, except for the API itself [attack: upload URL]', () => {
    const urls = [
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '[fe80::1]',
      '[febf::1]',
      '[::ffff:169.254.1.1]',
    ];
    for (const host of urls) assert.equal(findUrlProblem(`https://${host}/latest`, api), 'linkLocal', host);
    assert.equal(findUrlProblem('https://169.254.1.1/x', 'https://169.254.1.1'), undefined);
    assert.equal(findUrlProblem('https://169.254.example.com/', api), undefined);
  });
});

describe('isLoopback', () => {
  it('does not match names with a similar beginning or end', () => {
    for (const host of ['localhost', '127.9.9.9', '127.10.20.30', '[::1]']) assert.ok(isLoopback(host), host);
    for (const host of [
      'notlocalhost',
      'a.localhost',
      'localhost.',
      '127.0.0.1.example.com',
      '[::]',
      '[::1]x',
    ])
      assert.ok(!isLoopback(host), host);
  });
});
