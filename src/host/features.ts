import { registerAgentCommands } from './agents/registerAgentCommands';
import { registerBots } from './bots/registerBots';
import { registerContext } from './context/registerContext';
import { registerConversations } from './conversations/registerConversations';
import { registerDiagrams } from './diagrams/registerDiagrams';
import { registerDocuments } from './documents/registerDocuments';
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
import { registerService } from './service/registerService';
import { registerServices } from './services/registerServices';
import { registerStatus } from './status/registerStatus';

/** The handlers of all features. An intent without a handler, and a name with two, don't compile. */
export function registerFeatures(services: Services) {
  const features = [
    registerAgentCommands(services),
    registerBots(services),
    registerContext(services),
    registerConversations(services),
    registerDiagrams(services),
    registerDocuments(services),
    registerEditor(services),
    registerExport(services),
    registerForks(services),
    registerMentions(services),
    registerPanel(services),
    registerParleyJson(services),
    registerPrompts(services),
    registerQueue(services),
    registerRecording(services),
    registerService(services),
    registerServices(services),
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
