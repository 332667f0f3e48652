import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  exportJson,
  ImportError,
  type ImportProblem,
  importJson,
  MAX_FILE_BYTES,
} from '../../../src/chat/export/conversationFile';
import type { Conversation } from '../../../src/chat/model/conversation';
import type { Turn } from '../../../src/chat/model/turn';
import { cases } from '../../support/fuzz';
import { anyConversation, conversationOf } from '../support/conversations';

const encode = (text: string) => new TextEncoder().encode(text);
const neverExists = () => false;

/** Returns the problem with which importing this text fails. */
function getImportProblem(content: string | Uint8Array): ImportProblem {
  try {
    importJson(typeof content === 'string' ? encode(content) : content, neverExists);
  } catch (error) {
    assert.ok(error instanceof ImportError, `${error}`);
    return error.problem;
  }
  assert.fail('It was imported.');
}

describe('exportJson and importJson', () => {
  it('restore the same conversation', () => {
    fc.assert(
      fc.property(anyConversation, (conversation) => {
        const back = importJson(encode(exportJson(conversation)), neverExists);
        const { forkedFrom, forks } = conversation;
        const expected = {
          ...conversation,
          ...(forkedFrom && { forkedFrom: { ...forkedFrom, name: '' } }),
          ...(forks && { forks: forks.map((fork) => ({ ...fork, name: '' })) }),
        };
        assert.deepEqual(back, { conversation: expected, copied: false });
      }),
      cases(300),
    );
  });

  it('restore a damaged file unchanged or refuse it with ImportError', () => {
    // Damages the file as JSON, by replacing, removing or adding a value, and as bytes, by changing some.
    const damaged = fc.tuple(anyConversation, fc.gen()).map(([conversation, gen]) => {
      const content = JSON.parse(exportJson(conversation));
      damageValue(content, gen);
      const bytes = encode(JSON.stringify(content));
      for (let hits = gen(fc.nat, { max: 2 }); hits > 0; hits--) {
        bytes[gen(fc.nat, { max: bytes.length - 1 })] = gen(fc.nat, { max: 255 });
      }
      return gen(fc.boolean) ? bytes : bytes.subarray(0, gen(fc.nat, { max: bytes.length }));
    });
    let refused = 0;
    let restored = 0;
    fc.assert(
      fc.property(damaged, (content) => {
        try {
          const { conversation } = importJson(content, neverExists);
          assert.deepEqual(
            importJson(encode(exportJson(conversation)), neverExists).conversation,
            conversation,
          );
          restored++;
        } catch (error) {
          if (!(error instanceof ImportError)) throw error;
          refused++;
        }
      }),
      cases(500),
    );
    assert.ok(refused > 200 && restored > 20, `${refused} were refused, ${restored} restored`);
  });

  it('omit the address of the service, paths on this machine and the draft', () => {
    const conversation: Conversation = {
      ...conversationOf([
        {
          kind: 'document',
          id: 'd',
          name: 'spec.txt',
          size: 3,
          sent: 3,
          at: 1,
          state: 'attached',
          documentId: '7',
          uri: 'file:///home/sentinel/spec.txt',
        },
      ]),
      remote: { baseUrl: 'https://sentinel.example/api/v1', id: 'remote-sentinel' },
      draft: 'draft-sentinel',
    };
    const text = exportJson(conversation);
    assert.doesNotMatch(text, /sentinel/);
    assert.deepEqual(JSON.parse(text), {
      parley: 1,
      conversation: {
        id: conversation.id,
        name: 'Moss',
        bot: { id: 'guide', name: 'Guide' },
        createdAt: conversation.createdAt,
      },
      turns: [
        {
          kind: 'document',
          id: 'd',
          name: 'spec.txt',
          size: 3,
          sent: 3,
          at: 1,
          state: 'attached',
          documentId: '7',
        },
      ],
    });
  });

  it('have the properties of turns that other machines can use, and no others', () => {
    const same = { at: 1, later: 1 };
    const failure = { code: 'internal', maySend: false, later: 1 };
    const message = { ...same, kind: 'message', id: 'm', text: 'Hi' };
    const reply = {
      ...same,
      kind: 'reply',
      id: 'r',
      messageId: 'm',
      bot: 'Guide',
      text: '',
      ending: 'failed',
    };
    const document = { ...same, kind: 'document', id: 'd', name: 'a', size: 3, sent: 3, state: 'failed' };
    const sources = [{ id: '7', name: 'a.pdf', url: 'https://x.example', later: 1 }];
    const turns = [
      { ...message, webSearch: true, remoteId: '1', via: 'chat' },
      { ...reply, failure, sources, skipped: true, usage: { tokens: 1 }, remoteId: '2', whole: 'x' },
      { ...document, failure, failedAt: 'signing', documentId: '7', uri: 'file:///a', replaces: 'c' },
      { ...document, id: 'e', waitsUntil: 1, unsaved: true, status: 'ready', file: 'changed', sha256: 'a' },
    ] as unknown as Turn[];
    const content = JSON.parse(exportJson(conversationOf(turns)));
    const exported: object[] = content.turns;
    assert.deepEqual(
      exported.map((turn) => Object.keys(turn).sort().join(' ')),
      [
        'at id kind text',
        'at bot ending failure id kind messageId skipped sources text usage',
        'at documentId failedAt failure id kind name sent size state',
        'at id kind name sent size state',
      ],
    );
    assert.doesNotMatch(JSON.stringify(content), /later/);
  });

  it('import nothing that would not be exported, and ignore unknown properties', () => {
    const content = JSON.parse(exportJson(conversationOf([])));
    Object.assign(content, { more: 1 });
    Object.assign(content.conversation, { remote: { baseUrl: 'https://evil.example', id: '1' }, draft: 'x' });
    content.turns.push({
      ...{ kind: 'document', id: 'd', name: 'n', size: 1, sent: 1, at: 1, state: 'attached', flag: true },
      uri: 'file:///etc/passwd',
    });
    const { conversation } = importJson(encode(JSON.stringify(content)), neverExists);
    const { kind, id, name, size, sent, at, state } = content.turns[0];
    assert.deepEqual(conversation, conversationOf([{ kind, id, name, size, sent, at, state }]));
  });

  it('do not let a file claim that an agent may continue its conversation', () => {
    const said = { kind: 'message', id: 'm', text: 'Hi', at: 1, via: 'tool' } as const;
    const content = JSON.parse(exportJson(conversationOf([said])));
    assert.equal('via' in content.turns[0], false);
    content.turns[0].via = 'tool';
    const { conversation } = importJson(encode(JSON.stringify(content)), neverExists);
    const { via: _, ...plain } = said;
    assert.deepEqual(conversation.turns, [plain]);
  });

  it('cut names that are longer than any the service can have', () => {
    const long = 'n'.repeat(100_000);
    const content = JSON.parse(exportJson(conversationOf([])));
    Object.assign(content.conversation, { name: long, bot: { id: 'b', name: long } });
    content.turns.push(
      { kind: 'document', id: 'd', name: long, size: 1, sent: 1, at: 1, state: 'attached' },
      { kind: 'reply', id: 'r', messageId: 'm', bot: long, text: 't', at: 1, sources: [{ name: long }] },
    );
    const { conversation } = importJson(encode(JSON.stringify(content)), neverExists);
    const [document, reply] = conversation.turns;
    assert.ok(document?.kind === 'document' && reply?.kind === 'reply');
    const names = [
      conversation.name,
      conversation.bot?.name,
      document.name,
      reply.bot,
      reply.sources?.[0]?.name,
    ];
    assert.deepEqual(names, Array(5).fill('n'.repeat(1000)));
  });

  it('keep at most 500 sources of a reply', () => {
    const content = JSON.parse(exportJson(conversationOf([])));
    const sources = Array.from({ length: 501 }, (_, index) => ({ name: `${index}` }));
    content.turns.push({ kind: 'reply', id: 'r', messageId: 'm', bot: 'b', text: 't', at: 1, sources });
    const [reply] = importJson(encode(JSON.stringify(content)), neverExists).conversation.turns;
    assert.ok(reply?.kind === 'reply');
    assert.deepEqual(reply.sources, sources.slice(0, 500));
  });

  it('end turns that were in progress at the export', () => {
    const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text: 'Moss ha', at: 2 } as const;
    const document = { kind: 'document', id: 'd', name: 'a.txt', size: 9, sent: 4, at: 3 } as const;
    const { conversation } = importJson(
      encode(exportJson(conversationOf([reply, { ...document, state: 'uploading' }]))),
      neverExists,
    );
    assert.deepEqual(conversation.turns, [
      { ...reply, ending: 'interrupted', failure: { code: 'interrupted', maySend: false } },
      { ...document, state: 'cancelled' },
    ]);
  });

  it('create a copy with new ids when the conversation already exists', () => {
    const conversation = conversationOf([
      { kind: 'message', id: 'm', text: 'Hi', at: 1 },
      { kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text: 'Hello', at: 2, ending: 'complete' },
    ]);
    const { conversation: copy, copied } = importJson(
      encode(exportJson(conversation)),
      (id) => id === conversation.id,
    );
    assert.equal(copied, true);
    assert.notEqual(copy.id, conversation.id);
    const [message, reply] = copy.turns;
    assert.ok(message?.kind === 'message' && reply?.kind === 'reply');
    assert.notEqual(message.id, 'm');
    assert.notEqual(reply.id, 'r');
    assert.equal(reply.messageId, message.id);
    assert.equal(reply.text, 'Hello');
  });

  it('never import an id that could be a path', () => {
    const { conversation, copied } = importJson(
      encode(exportJson({ ...conversationOf([]), id: '../../settings' })),
      neverExists,
    );
    assert.match(conversation.id, /^[\da-f-]{36}$/);
    assert.equal(copied, false);
  });

  it('name no other conversation', () => {
    const link = (name: string) => ({ id: 'f', name, turnId: 'm' });
    const forked = { ...conversationOf([]), forkedFrom: link('Secret plan'), forks: [link('Secret fork')] };
    const text = exportJson(forked);
    assert.doesNotMatch(text, /Secret/);
    const { conversation } = importJson(encode(text), neverExists);
    assert.deepEqual([conversation.forkedFrom, conversation.forks], [link(''), [link('')]]);
  });

  it('refuse a link to a fork whose id could be a path, ignore its name, and keep at most 100', () => {
    const fork = { id: 'f', name: 'Fork', turnId: 'm' };
    const readLinks = (links: Pick<Conversation, 'forkedFrom' | 'forks'>) => {
      const content = JSON.parse(exportJson(conversationOf([])));
      Object.assign(content.conversation, links);
      return importJson(encode(JSON.stringify(content)), neverExists).conversation;
    };
    for (const id of ['../../settings', 'a/b', '..', '', 'x'.repeat(101), 7]) {
      const link = { ...fork, id } as typeof fork;
      assert.throws(() => readLinks({ forkedFrom: link }), ImportError, `${id}`);
      assert.throws(() => readLinks({ forks: [link] }), ImportError, `${id}`);
    }
    const { forkedFrom, forks } = readLinks({
      forkedFrom: { ...fork, name: 'x'.repeat(100_000) },
      forks: Array.from({ length: 200 }, () => fork),
    });
    assert.equal(forkedFrom?.name, '');
    assert.equal(forks?.length, 100);
  });

  it('link a copy’s forks to its own turns', () => {
    const conversation: Conversation = {
      ...conversationOf([{ kind: 'message', id: 'm', text: 'Hi', at: 1 }]),
      forkedFrom: { id: 'origin', name: 'Origin', turnId: 'm' },
      forks: [
        { id: 'f', name: 'Fork', turnId: 'm' },
        { id: 'g', name: 'Lost', turnId: 'none' },
      ],
    };
    const { conversation: copy } = importJson(encode(exportJson(conversation)), () => true);
    assert.deepEqual(copy.forkedFrom, { ...conversation.forkedFrom, name: '' });
    assert.deepEqual(
      copy.forks?.map(({ turnId }) => turnId),
      [copy.turns[0]?.id, 'none'],
    );
  });

  it('report what is wrong and where', () => {
    const changed = (
      change: (content: { turns: Record<string, unknown>[] } & Record<string, unknown>) => void,
    ) => {
      const content = JSON.parse(
        exportJson(
          conversationOf([
            { kind: 'message', id: 'm', text: 'Hi', at: 1 },
            {
              kind: 'reply',
              id: 'r',
              messageId: 'm',
              bot: 'Guide',
              text: 'Hello',
              at: 2,
              ending: 'complete',
            },
          ]),
        ),
      );
      change(content);
      return getImportProblem(JSON.stringify(content));
    };
    const invalid = (where: string, detail: string): ImportProblem => ({ code: 'invalid', where, detail });
    assert.deepEqual(
      changed(({ turns: [, reply] }) => Object.assign(reply ?? {}, { at: 'noon' })),
      invalid('turns[1].at', 'Invalid type: Expected number but received "noon"'),
    );
    assert.deepEqual(
      changed(({ turns: [, reply] }) => Object.assign(reply ?? {}, { ending: 'happy' })),
      invalid(
        'turns[1].ending',
        'Invalid type: Expected ("complete" | "stopped" | "interrupted" | "failed") but received "happy"',
      ),
    );
    assert.deepEqual(
      changed(({ turns: [message] }) => delete message?.text),
      invalid('turns[0].text', 'Invalid key: Expected "text" but received undefined'),
    );
    assert.deepEqual(
      changed(({ turns: [message] }) => Object.assign(message ?? {}, { kind: 'song' })),
      invalid(
        'turns[0].kind',
        'Invalid type: Expected ("message" | "reply" | "document") but received "song"',
      ),
    );
    assert.deepEqual(
      changed(({ turns: [, reply] }) => Object.assign(reply ?? {}, { id: 'm' })),
      invalid('turns[1].id', 'Used twice'),
    );
    assert.deepEqual(
      changed((content) => Object.assign(content, { parley: 2 })),
      { code: 'otherVersion', version: 2 },
    );
  });

  it('refuse other kinds of files', () => {
    assert.deepEqual(getImportProblem('{"name":"package"}'), { code: 'notParley' });
    assert.deepEqual(getImportProblem('[]'), { code: 'notParley' });
    assert.deepEqual(getImportProblem('null'), { code: 'notParley' });
    assert.deepEqual(getImportProblem(new Uint8Array([0x7b, 0xff, 0xfe])), { code: 'notText' });
    assert.equal(getImportProblem('{"parley": 1,').code, 'notJson');
    assert.equal(getImportProblem('').code, 'notJson');
    assert.equal(getImportProblem('['.repeat(1_000_000)).code, 'notJson');
    assert.deepEqual(getImportProblem(new Uint8Array(MAX_FILE_BYTES + 1)), { code: 'tooLarge' });
  });

  it('quote only a little of the file in an error', () => {
    const problem = getImportProblem(
      JSON.stringify({ parley: 1, conversation: { id: 'x'.repeat(1_000_000) } }),
    );
    assert.ok(problem.code === 'invalid' && problem.detail.length <= 201);
  });
});

const junk = fc.oneof(
  fc.constantFrom(null, true, -1, 0.5, 1e300, '', 'reply', '__proto__', [], {}, [[]], { kind: 'reply' }),
  fc.jsonValue(),
);

/** Replaces, removes or adds a value at any depth. */
function damageValue(value: unknown, gen: fc.GeneratorValue): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  const key = keys[gen(fc.nat, { max: Math.max(0, keys.length - 1) })];
  const holder = value as Record<string, unknown>;
  const child = key === undefined ? undefined : holder[key];
  if (key !== undefined && typeof child === 'object' && child !== null && gen(fc.boolean)) {
    damageValue(child, gen);
  } else if (key !== undefined && gen(fc.boolean)) {
    if (gen(fc.boolean)) delete holder[key];
    else holder[key] = gen(() => junk);
  } else {
    holder[gen(() => fc.constantFrom('more', 'constructor', 'uri', 'failure', 'ending', '7'))] = gen(
      () => junk,
    );
  }
}
