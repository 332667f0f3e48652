/** What agents are told about their requests, in English: models read it, and answer in the user's language. */
export const agentTexts = {
  fault: 'Something went wrong in Parley.',
  stopped: 'Stopped.',
  declined: 'The user declined. Nothing was sent; don’t ask again.',
  nothingSent: 'Nothing was sent.',
  maySent: 'The question may have been sent and counted: don’t ask it again without asking the user.',
  nothingUploaded: 'Nothing was uploaded.',
  mayBeUploaded:
    'The document may have been uploaded: look for it with list_documents before you upload it again.',
  uploadAgainTo: (conversationId: string) =>
    `To upload it again, pass conversationId ${conversationId}: if the service lists it there, it isn’t added twice.`,
  tooLong:
    'The result is too long for an agent; the user can read it in Parley’s panel. If it was an answer, the question was counted: don’t ask it again.',
  noPrompt: 'There is no such prompt.',
  noConversation: 'There is no such conversation.',
  noBotList: 'A service doesn’t list its bots, or didn’t answer.',
  noDocumentList: 'The service doesn’t list its documents.',
  noDocumentListOfSome: 'A service doesn’t list its documents, or didn’t answer.',
  notUploaded: 'Nothing was uploaded: the file can’t be read, or the user declined.',
  uploadRemoved: 'The upload was removed.',
  uploadCanceled: 'The upload was canceled.',
  converting: 'The service converts it, which can take minutes; list_documents tells its status.',
  otherMachine: 'The path names another machine. Nothing was uploaded.',
  noFolder: 'The window has no folder. Use an absolute path.',
  busy: (count: number) => `${count} requests are still running. Wait for one of them.`,
  /** `reason`: why, if it isn't that the user stopped it. */
  incomplete: (reason = 'The user stopped it.') =>
    `This answer is not complete. ${reason} Don’t ask again without asking the user.`,
  earlierAnswer:
    'This question, or one that means the same, was answered before: see earlierQuestion. Nothing was sent, and nothing counts. If the answer doesn’t fit or may be out of date, call ask_bot again with askAnyway: true; asking the same again sends it, too.',
  dailyLimit: (limit: number) =>
    `Agents have asked ${limit} questions today, which is the user’s limit (parley.agents.dailyMessages). Nothing was sent. Go on without the bots, or ask the user.`,
} as const;
