import * as v from 'valibot';
import {
  botSchema as bot,
  composerStateSchema,
  documentProperties,
  endingSchema as ending,
  flag,
  forkProperties,
  messageProperties,
  queuedEditSchema,
  queuedMessageProperties,
  replyProperties,
  time,
  workspaceSchema,
} from '../../shared/conversation/conversationSchemas';
import { responseSchemas } from '../../shared/protocol/intents';
import type { Change, Response, ToPage } from '../../shared/protocol/protocol';

/** A schema for each type of a union: a missing one is a compile error. Properties without a schema are allowed. */
type Schemas<M extends { readonly type: string }> = {
  readonly [T in M['type']]: v.GenericSchema<unknown, Omit<Extract<M, { type: T }>, 'type'>>;
};

const text = v.string();
const count = v.pipe(v.number(), v.minValue(0));
const overflow = v.exactOptional(v.picklist(['document', 'split']));
const focus = v.exactOptional(v.picklist(['included', 'excluded']));
const step = v.picklist(['baseUrl', 'apiKey', 'bot', 'done']);
const sendWith = v.picklist(['enter', 'ctrlEnter']);

const problem = v.exactOptional(
  v.object({
    text,
    detail: v.exactOptional(text),
    fields: v.exactOptional(v.array(v.object({ name: text, messages: v.array(text) }))),
    actions: v.array(v.picklist(['retry', 'showWhole', 'setApiKey', 'setBaseUrl', 'changeBot', 'showLog'])),
    retryAt: v.exactOptional(time),
  }),
);

const turn = v.variant('kind', [
  v.object({ ...messageProperties.exported, ...messageProperties.local }),
  v.object({
    ...replyProperties.exported,
    ...replyProperties.local,
    problem,
    sources: v.exactOptional(
      v.array(v.object({ name: text, opens: v.exactOptional(v.picklist(['file', 'link'])) })),
    ),
  }),
  v.object({
    ...documentProperties.exported,
    ...documentProperties.local,
    problem,
    offersText: flag,
    opens: flag,
    focus,
  }),
]);

const summary = v.object({
  id: text,
  name: text,
  bot,
  at: time,
  streaming: v.boolean(),
  unread: v.boolean(),
  pinned: v.boolean(),
  archived: v.exactOptional(v.boolean()),
  workspace: v.exactOptional(workspaceSchema),
});

const queue = v.exactOptional(
  v.object({
    messages: v.array(v.object({ ...queuedMessageProperties, maybeSent: flag })),
    paused: v.exactOptional(text),
    waitsFor: v.exactOptional(text),
    editing: v.exactOptional(text),
    edit: v.exactOptional(queuedEditSchema),
  }),
);

const serviceDocuments = v.array(
  v.object({
    id: text,
    name: text,
    status: v.exactOptional(text),
    origin: v.picklist(['elsewhere', 'older']),
    opens: flag,
    removable: flag,
    focus,
  }),
);

const conversation = v.object({
  id: text,
  name: text,
  bot: v.exactOptional(bot),
  ...forkProperties,
  turns: v.array(turn),
  earlier: v.exactOptional(v.boolean()),
  draft: text,
  composing: v.exactOptional(composerStateSchema),
  queue,
  serviceDocuments: v.exactOptional(serviceDocuments),
});

/** Valibot takes an array for an object whose properties are all optional. */
const forks = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value) && !ArrayBuffer.isView(value)),
  v.object(forkProperties),
);

const setup = v.object({ step, serviceHost: v.exactOptional(text), problem });

const notice = v.exactOptional(
  v.object({
    kind: v.picklist(['storage', 'elsewhere', 'gone', 'compared', 'quota']),
    text,
    actions: v.array(v.picklist(['takeOver', 'startAnew', 'tryAgain', 'showLog', 'continueHere'])),
  }),
);

const codeTheme = v.array(
  v.object({
    scope: v.array(text),
    foreground: v.exactOptional(text),
    fontStyle: v.exactOptional(text),
  }),
);

const chatFont = v.object({ family: v.exactOptional(text), size: count });

const quota = v.object({ messages: count, credits: v.exactOptional(v.number()) });

const uploadFolder = v.exactOptional(text);

const changes: Schemas<Change> = {
  setup: v.object({ setup }),
  sendWith: v.object({ sendWith }),
  codeTheme: v.object({ codeTheme }),
  chatFont: v.object({ chatFont }),
  conversations: v.object({ conversations: v.array(summary) }),
  summary: v.object({ summary }),
  conversationGone: v.object({ conversationId: text }),
  conversation: v.object({ conversation }),
  title: v.object({ name: text, bot: v.exactOptional(bot) }),
  forks: v.object({ forks }),
  turn: v.object({ turn, before: v.exactOptional(text) }),
  turnRemoved: v.object({ turnId: text }),
  earlierTurns: v.object({ turns: v.array(turn), more: v.boolean() }),
  revealTurn: v.object({ turnId: text }),
  chunk: v.object({ turnId: text, text }),
  ended: v.object({ turnId: text, ending, problem, skipped: flag }),
  sent: v.object({ text, queued: flag }),
  notSent: v.object({}),
  draft: v.object({ text }),
  composing: v.object({ composing: composerStateSchema }),
  queue: v.object({ queue }),
  serviceDocuments: v.object({ documents: serviceDocuments }),
  overflow: v.object({ overflow }),
  quota: v.object({ quota }),
  uploadFolder: v.object({ uploadFolder }),
  notice: v.object({ notice }),
};

const change = v.custom<Change>((value) => matchesSchema(changes, value));

const responses = Object.fromEntries(
  Object.entries(responseSchemas).map(([name, value]) => [
    name,
    v.object({ id: text, value: v.exactOptional(value as v.GenericSchema) }),
  ]),
);

const messages: Schemas<ToPage> = {
  snapshot: v.object({
    seq: count,
    state: v.object({
      setup,
      sendWith,
      overflow,
      quota: v.exactOptional(quota),
      uploadFolder,
      codeTheme: v.exactOptional(codeTheme),
      chatFont: v.exactOptional(chatFont),
      conversations: v.array(summary),
      conversation,
      notice,
    }),
  }),
  delta: v.object({ seq: count, changes: v.array(change) }),
  focusComposer: v.object({}),
  showList: v.object({}),
  showDocuments: v.object({}),
  find: v.object({}),
  showTimeline: v.object({}),
  response: v.custom<Response>((value) => matchesSchema(responses, value, 'name')),
  codeAction: v.object({
    action: v.picklist([
      'copy',
      'insertAtCursor',
      'replaceSelection',
      'newFile',
      'runInTerminal',
      'reviewChange',
      'toggleWrap',
    ]),
  }),
  copySelection: v.object({}),
  focusTranscript: v.object({}),
  nextTurn: v.object({}),
  previousTurn: v.object({}),
};

/** Returns whether data is a valid message of the host; the page ignores everything else, whoever posted it. */
export function isHostMessage(data: unknown): data is ToPage {
  return matchesSchema(messages, data);
}

/** Returns whether a value matches the schema that its property `key` names. */
function matchesSchema(
  schemas: Readonly<Record<string, v.GenericSchema>>,
  value: unknown,
  key = 'type',
): boolean {
  const name = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  if (typeof name !== 'string' || !Object.hasOwn(schemas, name)) return false;
  const schema = schemas[name];
  return schema !== undefined && v.is(schema, value);
}
