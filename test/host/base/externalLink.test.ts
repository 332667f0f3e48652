import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Conversation } from '../../../src/chat/model/conversation';
import { openLink } from '../../../src/host/base/externalLink';
import { openSource } from '../../../src/host/documents/openSource';
import { assertInert } from '../support/hostile';
import { RecordedWindow } from '../support/recordedWindow';

describe('A link of a reply', () => {
  const { openExternal } = vscode.env;
  let opened: unknown[];
  let recorded: RecordedWindow;
  let answer: string | undefined;

  beforeEach(() => {
    opened = [];
    answer = undefined;
    recorded = new RecordedWindow(() => answer);
    // Records the target. VS Code opens a string unchanged (`ExtHostWindow.openUri`), but changes some URLs
    // that are passed as a Uri.
    Object.assign(vscode.env, { openExternal: async (target: unknown) => opened.push(target) > 0 });
  });
  afterEach(() => {
    Object.assign(vscode.env, { openExternal });
    recorded.dispose();
  });

  for (const href of [
    'https://example.com/',
    'https://example.com/a%26b%2Fc%2Bd%23e?f=%26&g=%2F&h=%2B&i=%23#j%26',
    'https://bucket.s3.amazonaws.com/a%2Fb.pdf?X-Amz-Credential=AK%2F20250101%2Fs3&X-Amz-Signature=0a%2Bb%3D%3D',
    'https://example.com/a+b?q=c+d&e=%20&f=%25&g=%2525',
    'https://example.com/?redirect=https%3A%2F%2Fother.example%2F%3Fa%3Db%26c%3Dd%23e',
    'https://example.com:8443/~a/(b)!c*d,e;f=1/@g?h[]=1',
    'https://[::1]/a',
    'https://example.com/%E6%97%A5%E6%9C%AC?q=%F0%9F%99%82',
  ]) {
    it(`opens unchanged: ${href} [attack: link]`, async () => {
      await openLink(href);
      assert.deepEqual(opened, [href]);
    });
  }

  it('opens as normalized by the URL parser, so that the checked URL is the one that opens [attack: link]', async () => {
    for (const [href, read] of [
      ['https://example.com/日本 a', 'https://example.com/%E6%97%A5%E6%9C%AC%20a'],
      ['HTTPS://EXAMPLE.com', 'https://example.com/'],
      ['https://good.example\\@evil.example/', 'https://good.example/@evil.example/'],
      ['https:/\\good.example', 'https://good.example/'],
      [' https://exa\nmple.com/\u0000', 'https://example.com/'],
      ['https://a.example/\u202egpj.exe', 'https://a.example/%E2%80%AEgpj.exe'],
    ] as const) {
      opened = [];
      await openLink(href);
      assert.deepEqual(opened, [read], href);
    }
  });

  it('is refused if it is neither https: nor mailto: [attack: link]', async () => {
    const others = [
      ['http://example.com', 'file:///etc/passwd', 'file://host/share', 'command:workbench.action.quit'],
      [
        'javascript:alert(1)',
        'JavaScript:alert(1)',
        'data:text/html,x',
        'vscode://parley.parley/x',
        'ssh://host',
      ],
      ['vscode-webview://x', 'ms-msdt:/id', 'tel:1', ' command:x', 'blob:https://example.com/1', 'https', ''],
      ['//example.com', '/etc/passwd', 'example.com', '#a', 'https://', 'mail\u200bto:a@b'],
    ].flat();
    for (const href of others) await openLink(href);
    assert.deepEqual(opened, []);
    assert.equal(recorded.shown.length, others.length);
    assert.ok(recorded.shown.every(({ by }) => by === 'Warning'));
  });

  it('a link to an email address opens only after confirmation [attack: link]', async () => {
    const href = 'mailto:a@example.com?subject=Hi%26&body=[x](command:y)%E2%80%AE';
    await openLink(href);
    assert.deepEqual(opened, []);
    assert.match(recorded.texts[1] ?? '', /^mailto:a@example\.com\?subject=Hi%26/);
    assertInert(recorded.texts);
    answer = 'Open';
    await openLink(href);
    assert.deepEqual(opened, [href]);
  });

  it('a link to a source of the reply is checked in the same way [attack: link]', async () => {
    const url = 'https://example.com/a%26b?X-Amz-Signature=%2B%2F';
    const sources = [
      { name: 'a', url },
      { name: 'b', url: 'http://example.com' },
      { name: 'c', url: 'command:x' },
    ];
    const turns = [{ kind: 'reply', id: 't', sources }];
    const conversation = { id: 'c', turns } as unknown as Conversation;
    for (const index of [0, 1, 2, 3, -1]) await openSource(conversation, 't', index);
    await openSource(conversation, 'other', 0);
    await openSource(undefined, 't', 0);
    assert.deepEqual(opened, [url]);
  });
});
