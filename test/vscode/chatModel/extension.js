const vscode = require('vscode');

/** A prompt `NAME {"json": "input"}` makes the model call that tool. */
const TOOL_CALL = /^(\w+) (\{.*\})$/s;

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('parley-test', { ...model, ...answers }),
    vscode.chat.createChatParticipant('parley-test.agent', runAgent),
  );
  // Chat lists a model after the first request for it.
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

/** Calls the requested tool; otherwise repeats the tool's result or the prompt. */
const answers = {
  async provideLanguageModelChatResponse(_model, messages, { tools = [] }, progress) {
    const [part] = messages.at(-1).content;
    if (part instanceof vscode.LanguageModelToolResultPart) {
      const said = part.content.map(({ value }) => value).join('\n\n');
      progress.report(new vscode.LanguageModelTextPart(`The tool said:\n\n${said}`));
      return;
    }
    const [, name, input] = TOOL_CALL.exec(part.value.trim()) ?? [];
    if (name && tools.some((tool) => tool.name === name)) {
      progress.report(new vscode.LanguageModelToolCallPart('call', name, JSON.parse(input)));
    } else progress.report(new vscode.LanguageModelTextPart(`I was told: ${part.value}`));
  },
};

/** Runs a basic agent loop: asks the model, runs the requested tool, asks again with the result. */
async function runAgent(request, _context, response, token) {
  const tools = vscode.lm.tools.filter(({ name }) => name.startsWith('parley_'));
  const messages = [vscode.LanguageModelChatMessage.User(request.prompt)];
  for (let toolCall; ; ) {
    toolCall = undefined;
    const answer = await request.model.sendRequest(messages, { tools }, token);
    for await (const part of answer.stream) {
      if (part instanceof vscode.LanguageModelToolCallPart) toolCall = part;
      else response.markdown(part.value);
    }
    if (!toolCall) return {};
    messages.push(vscode.LanguageModelChatMessage.Assistant([toolCall]));
    messages.push(vscode.LanguageModelChatMessage.User([await runTool(toolCall, request, token)]));
  }
}

async function runTool({ name, callId, input }, { toolInvocationToken }, token) {
  try {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token);
    return new vscode.LanguageModelToolResultPart(callId, content);
  } catch (error) {
    return new vscode.LanguageModelToolResultPart(callId, [
      new vscode.LanguageModelTextPart(`Error: ${error.message}`),
    ]);
  }
}
