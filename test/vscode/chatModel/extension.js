const vscode = require('vscode');

/** A prompt `NAME {"json": "input"}` makes the model call that tool. */
const call = /^(\w+) (\{.*\})$/s;

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('parley-test', { ...model, ...answers }),
    vscode.chat.createChatParticipant('parley-test.agent', runAgent),
  );
  // Chat offers a model once somebody has asked for it.
  await vscode.lm.selectChatModels({ vendor: 'parley-test' });
};

const model = {
  provideLanguageModelChatInformation: () => [
    {
      id: 'obedient',
      name: 'Obedient',
      family: 'test',
      version: '1',
      maxInputTokens: 100_000,
      maxOutputTokens: 100_000,
      capabilities: { toolCalling: true },
      isUserSelectable: true,
      isDefault: true,
    },
  ],
  provideTokenCount: async (_model, text) => String(text).length,
};

/** Calls the tool that it is told to; says what a tool said, and else what it was told. */
const answers = {
  async provideLanguageModelChatResponse(_model, messages, { tools = [] }, progress) {
    const [part] = messages.at(-1).content;
    if (part instanceof vscode.LanguageModelToolResultPart) {
      const said = part.content.map(({ value }) => value).join('\n\n');
      progress.report(new vscode.LanguageModelTextPart(`The tool said:\n\n${said}`));
      return;
    }
    const [, name, input] = call.exec(part.value.trim()) ?? [];
    if (name && tools.some((tool) => tool.name === name)) {
      progress.report(new vscode.LanguageModelToolCallPart('call', name, JSON.parse(input)));
    } else progress.report(new vscode.LanguageModelTextPart(`I was told: ${part.value}`));
  },
};

/** The loop that every agent has: ask the model, run the tool that it wants, ask it again with the result. */
async function runAgent(request, _context, response, token) {
  const tools = vscode.lm.tools.filter(({ name }) => name.startsWith('parley_'));
  const messages = [vscode.LanguageModelChatMessage.User(request.prompt)];
  for (let wanted; ; ) {
    wanted = undefined;
    const answer = await request.model.sendRequest(messages, { tools }, token);
    for await (const part of answer.stream) {
      if (part instanceof vscode.LanguageModelToolCallPart) wanted = part;
      else response.markdown(part.value);
    }
    if (!wanted) return {};
    messages.push(vscode.LanguageModelChatMessage.Assistant([wanted]));
    messages.push(vscode.LanguageModelChatMessage.User([await run(wanted, request, token)]));
  }
}

async function run({ name, callId, input }, { toolInvocationToken }, token) {
  try {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token);
    return new vscode.LanguageModelToolResultPart(callId, content);
  } catch (error) {
    return new vscode.LanguageModelToolResultPart(callId, [
      new vscode.LanguageModelTextPart(`Error: ${error.message}`),
    ]);
  }
}
