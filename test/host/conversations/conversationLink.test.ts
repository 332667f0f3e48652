import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ConversationLink,
  createConversationLink,
  parseConversationLink,
} from '../../../src/host/conversations/conversationLink';

const baseUrl = 'https://bots.example.com/api/v1';
const remote = { baseUrl, id: 'c/1 ?&=#' };

function parse(link: string): ConversationLink | undefined {
  // As `vscode.Uri.parse` does.
  const { pathname, search } = new URL(link.replace(/^vscode:/, 'https:'));
  return parseConversationLink(pathname, decodeURIComponent(search.slice(1)));
}

describe('A link to a conversation', () => {
  it('is the same after it was made and read', () => {
    const links: ConversationLink[] = [
      { localId: '1b2-3' },
      { remote },
      { remote, name: 'Invoices & more', turnId: 'm=1', prompt: 'What is\nnew?' },
      { localId: '1', turnId: 't' },
      { prompt: 'Hello' },
    ];
    for (const link of links) assert.deepEqual(parse(createConversationLink('vscode', link)), link);
  });

  it('is the same for any id, name and text', () => {
    const text = fc.string({ minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(text, text, (id, turnId) => {
        const link = { remote: { baseUrl, id }, turnId };
        assert.deepEqual(parse(createConversationLink('vscode', link)), link);
      }),
    );
  });

  it('names nothing if it has no conversation and no prompt, or another path', () => {
    for (const link of [
      '/conversation',
      '/conversation/',
      '/conversation/a/b',
      '/other',
      '/conversation?name=x',
    ])
      assert.equal(parse(`vscode://parley.parley${link}`), undefined);
  });

  for (const [what, service] of [
    ['http: on another machine', 'http://bots.example.com/api/v1'],
    ['user information', 'https://bots.example.com@evil.example/api/v1'],
    ['a query', `${baseUrl}?a=b`],
    ['no version path', 'https://bots.example.com/'],
    ['a script', 'javascript:alert(1)'],
  ] as const) {
    it(`is refused with ${what} as its service [attack: link]`, () => {
      const query = String(new URLSearchParams({ service, id: '1', prompt: 'Hello' }));
      assert.equal(parseConversationLink('/conversation', query), undefined);
    });
  }

  it('has plain, bounded texts [attack: link]', () => {
    const query = new URLSearchParams({
      ...{ service: baseUrl, id: '1', name: `\u202e${'x'.repeat(1000)}`, turn: 'y'.repeat(1001) },
      prompt: `\u001b[31mred\u{e0041}${'z'.repeat(20_000)}`,
    });
    const link = parseConversationLink('/conversation', String(query));
    assert.equal(link?.name, `${'x'.repeat(100)}…`);
    assert.equal(link?.turnId, undefined);
    assert.equal(link?.prompt?.length, 10_001);
    assert.ok(link?.prompt?.startsWith('redz'));
    assert.equal(
      parseConversationLink('/conversation', `service=${baseUrl}&id=${'1'.repeat(1001)}`),
      undefined,
    );
  });

  it('takes any path and query without an error [attack: link]', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (path, query) => void parseConversationLink(path, query)),
    );
    fc.assert(fc.property(fc.string(), (query) => void parseConversationLink('/conversation', query)));
  });
});
