import { registerAgents } from './agents/registerAgents';
import { registerBots } from './bots/registerBots';
import { registerBotTests } from './botTests/registerBotTests';
import { registerContext } from './context/registerContext';
import { registerConversations } from './conversations/registerConversations';
import { registerDiagrams } from './diagrams/registerDiagrams';
import { registerDocumentSync } from './documentSync/registerDocumentSync';
import { registerDocuments } from './documents/registerDocuments';
import { registerEarlierAnswers } from './earlierAnswers/registerEarlierAnswers';
import { registerEditor } from './editor/registerEditor';
import { registerExport } from './export/registerExport';
import { registerForks } from './forks/registerForks';
import type { Services } from './hostServices';
import { registerMentions } from './mentions/registerMentions';
import { type CommandHandler, type Feature, mergeFeatures } from './panel/feature';
import type { IntentHandlers } from './panel/intentDispatcher';
import { registerPanel } from './panel/registerPanel';
import { registerParleyJson } from './parleyJson/registerParleyJson';
import { registerPrompts } from './prompts/registerPrompts';
import { registerQueue } from './queue/registerQueue';
import { registerRecording } from './recording/registerRecording';
import { registerReviews } from './reviews/registerReviews';
import { registerConnection } from './service/registerConnection';
import { registerSetUp } from './setUp/registerSetUp';
import { registerStatus } from './status/registerStatus';

/** The handlers of all features. An intent without a handler, and a name with two, don't compile. */
export function registerFeatures(services: Services) {
  const features = [
    registerAgents(services),
    registerBots(services),
    registerBotTests(services),
    registerContext(services),
    registerConversations(services),
    registerDiagrams(services),
    registerDocuments(services),
    registerDocumentSync(services),
    registerEarlierAnswers(services),
    registerEditor(services),
    registerExport(services),
    registerForks(services),
    registerMentions(services),
    registerPanel(services),
    registerParleyJson(services),
    registerPrompts(services),
    registerQueue(services),
    registerRecording(services),
    registerReviews(services),
    registerConnection(services),
    registerSetUp(services),
    registerStatus(services),
  ] as const;
  const merged = mergeFeatures(features);
  const intents: IntentHandlers = merged.intents;
  return {
    intents,
    commands: new Map(Object.entries<CommandHandler>(merged.commands)),
    start: () => features.flatMap((feature: Feature) => feature.start?.() ?? []),
  };
}
