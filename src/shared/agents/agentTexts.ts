/** What agents are told about their requests, in English: models read it, and answer in the user's language. */
export const agentTexts = {
  fault: 'Something went wrong in Parley.',
  stopped: 'Stopped.',
  declined: 'The person declined. Nothing was sent; don’t ask again.',
  nothingSent: 'Nothing was sent.',
  maySent: 'The question may have been sent and counted: don’t ask it again without asking the person.',
  noPrompt: 'There is no such prompt.',
  noConversation: 'There is no such conversation.',
  noBotList: 'The service doesn’t list its bots.',
  noDocumentList: 'The service doesn’t list its documents.',
  notUploaded: 'Nothing was uploaded: the file can’t be read, or the person declined.',
  uploadRemoved: 'The upload was removed.',
  uploadCanceled: 'The upload was canceled.',
  converting: 'The service converts it, which can take minutes; list_documents tells its status.',
  otherMachine: 'The path names another machine. Nothing was uploaded.',
  noFolder: 'The window has no folder. Use an absolute path.',
  busy: (count: number) => `${count} requests are still running. Wait for one of them.`,
  /** `reason`: why, if it isn't that the person stopped it. */
  incomplete: (reason = 'The person stopped it.') =>
    `This answer is not complete. ${reason} Don’t ask again without asking the person.`,
  dailyLimit: (limit: number) =>
    `Agents have asked ${limit} questions today, which is the person’s limit (parley.agents.dailyMessages). Nothing was sent. Go on without the bots, or ask the person.`,
} as const;
