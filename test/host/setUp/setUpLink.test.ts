import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { createSetUpQuery, parseSetUpLink, type SetUpLinkProblem } from '../../../src/host/setUp/setUpLink';
import { demoBots } from '../../service/demo/demoBots';
import { type LocalService, startLocalService } from '../../service/localService';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

const URL_OK = 'https://bots.example.com/api/v1';

describe('A set-up link', () => {
  const parse = (parts: Record<string, string>, fragment = '') =>
    parseSetUpLink(new URLSearchParams(parts).toString(), fragment);
  const problem = (link: ReturnType<typeof parseSetUpLink>) => (link.ok ? undefined : link.problem);
  const problemOf = (url: string) => problem(parse({ url }));

  it('says which service, name and bot it proposes, also after VS Code has decoded it once', () => {
    const proposal = { baseUrl: URL_OK, name: 'C++ & friends 100%', botId: 'guide' };
    const query = createSetUpQuery(proposal);
    assert.deepEqual(parseSetUpLink(query), { ok: true, proposal });
    const uri = vscode.Uri.from({ scheme: 'vscode', authority: 'parley.parley', path: '/connect', query });
    assert.deepEqual(parseSetUpLink(vscode.Uri.parse(uri.toString(), true).query), { ok: true, proposal });
    // As an administrator would write it.
    const typed = vscode.Uri.parse(
      `vscode://parley.parley/connect?url=${encodeURIComponent(URL_OK)}&bot=guide`,
    );
    assert.deepEqual(parseSetUpLink(typed.query), {
      ok: true,
      proposal: { baseUrl: URL_OK, botId: 'guide' },
    });
  });

  it('may name any https: host, and this machine without encryption', () => {
    for (const url of [
      URL_OK,
      `${URL_OK}/`,
      'https://BOTS.example.com:8443/x/v1',
      'https://10.1.2.3/api/v1',
      'http://127.0.0.1:3000/api/v1',
      'http://localhost:3000/api/v1',
    ])
      assert.equal(problemOf(url), undefined, url);
  });

  const refused: Readonly<Record<string, SetUpLinkProblem>> = {
    '': 'invalidUrl',
    'bots.example.com/api/v1': 'invalidUrl',
    'javascript://x/api/v1': 'notHttps',
    'file:///api/v1': 'notHttps',
    'http://bots.example.com/api/v1': 'notHttps',
    'http://localhost.example.com/api/v1': 'notHttps',
    'https://me:pw@bots.example.com/api/v1': 'hasCredentials',
    'https://bots.example.com@evil.example/api/v1': 'hasCredentials',
    'https://bots.example.com/api/v1?a=b': 'invalidUrl',
    'https://bots.example.com/api/v1#a': 'invalidUrl',
    'https://bots.example.com/api/v2': 'otherVersion',
    'https://bots.example.com/api/v11': 'otherVersion',
    'https://bots.example.com/': 'otherVersion',
    'https://bots.example.com/x/../api/v1': 'invalidUrl',
    'https://bots.example.com/%61pi/v1': 'invalidUrl',
    'https://bоts.example.com/api/v1': 'internationalHost',
    'https://xn--bts-fdd.example.com/api/v1': 'internationalHost',
    'https://münchen.example/api/v1': 'internationalHost',
    'https://ｂots.example.com/api/v1': 'unusualHost',
    'https://bots.example.com./api/v1': 'unusualHost',
    'https://bots%2eexample.com/api/v1': 'unusualHost',
    'https://bo\tts.example.com/api/v1': 'unusualHost',
    'https://bots.example.com\\@evil.example/api/v1': 'unusualHost',
    'https://bo\u00adts.example.com/api/v1': 'unusualHost',
    'https://0x7f.1/api/v1': 'unusualHost',
    'https://2130706433/api/v1': 'unusualHost',
    'https://169.254.169.254/api/v1': 'linkLocal',
    'https://[fe80::1]/api/v1': 'linkLocal',
  };
  for (const [url, expected] of Object.entries(refused)) {
    it(`with the URL ${showAscii(url)} is refused: ${expected} [attack: set-up link]`, () => {
      assert.equal(problemOf(url), expected);
    });
  }

  it('to a look-alike host is refused with its punycode [attack: set-up link]', () => {
    const link = parse({ url: 'https://bоts.example.com/api/v1' });
    assert.deepEqual(link, { ok: false, problem: 'internationalHost', host: 'xn--bts-sed.example.com' });
  });

  it('that carries a key anywhere is refused for it, whatever else is wrong [attack: set-up link]', () => {
    const withKey = [
      ...[
        'key',
        'apiKey',
        'API_KEY',
        'api-key',
        'token',
        'access_token',
        'secret',
        'password',
        'authorization',
      ],
    ].map((name) => parse({ url: URL_OK, [name]: 'x' }));
    const others = [
      parse({ url: 'nonsense', key: 'x' }),
      parse({ url: `${URL_OK}?api_key=x` }),
      parse({ url: `${URL_OK}#key=x` }),
      parse({ url: URL_OK, name: 'sk-0123456789abcdef01234567' }),
      parse({ url: URL_OK, bot: 'sk-0123456789abcdef01234567' }),
      parse({ url: URL_OK }, 'key=x'),
      parseSetUpLink(`url=${URL_OK}&name=${'x'.repeat(3000)}&key=x`),
    ];
    for (const link of [...withKey, ...others]) assert.equal(problem(link), 'hasKey');
  });

  it('with a name that deceives is refused [attack: set-up link]', () => {
    for (const name of [
      'getcody.ai',
      'https://getcody.ai',
      'gеtcody.ai',
      'a\u202eb',
      'a\u200bb',
      'a\u0007b',
      'x'.repeat(61),
    ])
      assert.equal(problem(parse({ url: URL_OK, name })), 'invalidName', name);
    assert.equal(problem(parse({ url: URL_OK, name: 'bots.example.com' })), undefined);
    assert.equal(problem(parse({ url: URL_OK, name: 'Bots (staging)' })), undefined);
  });

  it('with other parts, one twice, or too much is refused [attack: set-up link]', () => {
    for (const bot of ['a b', 'a\nb', 'ö', '\u202e', 'x'.repeat(201)])
      assert.equal(problem(parse({ url: URL_OK, bot })), 'invalidBot');
    assert.equal(problem(parse({ url: URL_OK, run: '1' })), 'unknownPart');
    assert.equal(problem(parse({ url: URL_OK }, 'x')), 'unknownPart');
    assert.equal(problem(parseSetUpLink(`url=${URL_OK}&url=https://evil.example/api/v1`)), 'unknownPart');
    assert.equal(problem(parseSetUpLink(`url=${URL_OK}&name=${'x'.repeat(2000)}`)), 'tooLong');
  });

  it('that is accepted names the host that is asked, as it is written [attack: set-up link]', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'bots',
        'example',
        'com',
        '.',
        '@',
        ':',
        '\\',
        '/',
        '%2f',
        'xn--',
        'ｂ',
        'о',
        '127.1',
        '\t',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = `https://${parts.join('')}/api/v1`;
        const link = parse({ url: text });
        if (!link.ok) return;
        const { host } = new URL(link.proposal.baseUrl);
        assert.match(host, /^[\x21-\x7e]+$/);
        const written = text.slice('https://'.length).split('/')[0]?.toLowerCase().replace(/:443$/, '');
        assert.equal(written, host);
      }),
    );
  });

  describe('opened in VS Code', () => {
    const startServices = useServices();
    let fixture: TestServices;
    let recorded: RecordedWindow;
    let proposed: LocalService;
    let answer: (shown: Shown) => unknown;
    let opened: unknown[];

    before(async () => {
      proposed = await startLocalService({ bots: demoBots, key: 'the-proposed-key' });
    });
    after(() => proposed.close());
    beforeEach(async () => {
      fixture = await startServices();
      // Also waits for the bots of the first service that are requested in the background.
      await fixture.services.bots.fetchBots();
      answer = () => undefined;
      recorded = new RecordedWindow((shown) => answer(shown));
      opened = [];
      Object.assign(fixture.services.panel, { openNew: async (bot: unknown) => void opened.push(bot) });
    });
    afterEach(async () => {
      recorded.dispose();
      await fixture.close();
      await setSetting('parley.services', undefined);
      await setSetting('parley.baseUrl', fixture.service.baseUrl);
      proposed.reset();
      proposed.clearRecords();
    });

    const open = (query: string, fragment = '') =>
      fixture.services.links.handleUri(
        vscode.Uri.from({ scheme: 'vscode', authority: 'parley.parley', path: '/connect', query, fragment }),
      );
    const readState = async () => ({
      settings: JSON.stringify(vscode.workspace.getConfiguration('parley').inspect('services')?.globalValue),
      baseUrl: vscode.workspace.getConfiguration('parley').inspect('baseUrl')?.globalValue,
      secrets: await fixture.secrets.keys(),
      conversations: fixture.services.chat.listConversations().length,
      requests: [proposed.requests.length, fixture.service.requests.length],
    });
    const createQuery = () =>
      createSetUpQuery({ baseUrl: proposed.baseUrl, name: 'Staging', botId: 'guide' });

    it('shows the host in full and what happens next; nothing is stored or sent before Connect', async () => {
      const before = await readState();
      await open(createQuery());
      const [question] = recorded.shown;
      const { host } = new URL(proposed.baseUrl);
      assert.equal(question?.texts[0], `Connect Parley to ${host}?`);
      assert.ok(question?.texts.includes(`URL: ${proposed.baseUrl}`));
      assert.deepEqual(question?.buttons, ['Connect']);
      assert.deepEqual([await readState(), opened], [before, []]);
    });

    it('adds the service, asks for its key, and opens a conversation with its bot after Connect', async () => {
      answer = ({ by }) => (by === 'InputBox' ? proposed.key : by === 'Warning' ? 'Connect' : undefined);
      await open(createQuery());
      const { serviceList } = fixture.services;
      assert.deepEqual(
        serviceList.all.map(({ name, baseUrl, botId }) => [name, baseUrl, botId]),
        [
          [new URL(fixture.service.baseUrl).host, fixture.service.baseUrl, 'echo'],
          ['Staging', proposed.baseUrl, 'guide'],
        ],
      );
      assert.equal(await fixture.secrets.get(`parley.apiKey ${proposed.apiOrigin}`), proposed.key);
      assert.equal(
        await fixture.secrets.get(`parley.apiKey ${fixture.service.apiOrigin}`),
        fixture.service.key,
      );
      const { bots } = fixture.services;
      await until(() => bots.named('guide', proposed.baseUrl).name === 'Guide');
      const [bot] = opened as { id: string; baseUrl: string }[];
      assert.deepEqual([bot?.id, bot?.baseUrl], ['guide', proposed.baseUrl]);
      assert.deepEqual(
        fixture.service.requests.filter(({ headers }) => headers.authorization?.includes(proposed.key)),
        [],
      );
    });

    it('to a service that is set up changes neither its name nor its bot', async () => {
      answer = ({ by }) => (by === 'Warning' ? 'Connect' : undefined);
      const { baseUrl } = fixture.service;
      await open(createSetUpQuery({ baseUrl, name: 'Other name', botId: 'guide' }));
      const [service, ...others] = fixture.services.serviceList.all;
      assert.deepEqual([service?.name, service?.botId, others], [new URL(baseUrl).host, 'echo', []]);
      assert.ok(recorded.texts.includes('It is already one of your services.'));
      assert.deepEqual(opened, [{ id: 'guide', name: 'Guide', baseUrl }]);
    });

    it('with a key is refused, and says that the key is compromised [attack: set-up link]', async () => {
      const before = await readState();
      answer = ({ by }) => (by === 'Warning' ? 'Connect' : undefined);
      await open(`${createQuery()}&key=abc`);
      assert.ok(recorded.texts.some((text) => /it is compromised: replace it/.test(text)));
      assert.ok(!recorded.texts.some((text) => text.includes('abc')));
      assert.deepEqual([await readState(), opened], [before, []]);
    });

    it('of any kind makes no request and stores nothing before the user agrees [attack: set-up link]', async () => {
      const before = await readState();
      const value = fc.oneof(
        fc.constantFrom(proposed.baseUrl, fixture.service.baseUrl, URL_OK, 'guide', 'x', '', 'a\u202eb'),
        fc.webUrl(),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
      );
      const name = fc.oneof(
        fc.constantFrom('url', 'name', 'bot', 'key', 'prompt', 'send'),
        fc.string({ maxLength: 6 }),
      );
      const query = fc
        .array(fc.tuple(name, value), { maxLength: 5 })
        .map((parts) => new URLSearchParams([['url', proposed.baseUrl], ...parts].slice(-5)).toString());
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(query, fc.string()),
          fc.string({ maxLength: 10 }),
          async (text, fragment) => {
            await open(text, fragment);
            assert.deepEqual([await readState(), opened], [before, []]);
          },
        ),
        { numRuns: 60 },
      );
    });

    it('is copied as a link and as Markdown, without the key', async () => {
      for (const [kind, pattern] of [
        ['Link', /^\S+:\/\/parley\.parley\/connect\?\S+$/],
        ['Markdown', /^\[Connect Parley to [^\]]+\]\(\S+:\/\/parley\.parley\/connect\?[^\s)]+\)$/],
      ] as const) {
        answer = ({ items }) => items.find(({ label }) => label === kind);
        await (await fixture.services.getServiceActions()).copySetUpLink();
        const copied = await vscode.env.clipboard.readText();
        assert.match(copied, pattern);
        assert.ok(!copied.includes(fixture.service.key));
        const link = /\w+:\/\/parley\.parley[^\s)]+/.exec(copied)?.[0] ?? assert.fail();
        assert.deepEqual(parseSetUpLink(vscode.Uri.parse(link, true).query), {
          ok: true,
          proposal: { baseUrl: fixture.service.baseUrl, botId: 'echo' },
        });
      }
    });
  });
});

/** Returns a text with its other characters escaped, for a title. */
function showAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
