import commentDiscussionIcon from '@vscode/codicons/src/icons/comment-discussion.svg';
import errorIcon from '@vscode/codicons/src/icons/error.svg';
import infoIcon from '@vscode/codicons/src/icons/info.svg';
import passIcon from '@vscode/codicons/src/icons/pass-filled.svg';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { Setup as SetupState } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { Action, ProblemActions, ProblemText } from '../components/Problem';
import { usePage } from '../page/pageServices';
import type { PanelController } from '../page/panelController';

const setupSteps = {
  baseUrl: {
    title: t('Service URL'),
    text: t('The address of your conversational-AI service, including the version path.'),
  },
  apiKey: {
    title: t('API key'),
    text: t('Stored in VS Code’s secret storage and only sent to the service.'),
  },
  bot: { title: t('Bot'), text: t('The default bot for new conversations.') },
} as const;

const setupStrip = {
  baseUrl: t('Set the service URL to continue.'),
  apiKey: t('Set the API key to continue.'),
  bot: t('Choose a bot to continue.'),
} as const;

type Step = Exclude<SetupState['step'], 'done'>;

interface Props {
  readonly setup: SetupState;
  readonly step: Step;
}

const STEPS: readonly Step[] = ['baseUrl', 'apiKey', 'bot'];

const BUTTONS = {
  baseUrl: { name: t('Set Service URL'), type: 'setBaseUrl' },
  apiKey: { name: t('Set API Key'), type: 'setApiKey' },
  bot: { name: t('Choose Bot'), type: 'chooseBot' },
} as const;

/** The setup on first start: three steps on one screen, one at a time. */
export function Setup({ setup, step }: Props) {
  const page = usePage();
  const current = STEPS.indexOf(step);
  return (
    <section class="welcome setup">
      <div class="welcome-icon">
        <Icon file={commentDiscussionIcon} />
      </div>
      <h1>{'Parley'}</h1>
      <p>{t('Chat with your company’s bots without leaving VS Code.')}</p>
      <ol class="steps">
        {STEPS.map((item, index) => {
          const done = index < current;
          const { title, text } = setupSteps[item];
          return (
            <li
              key={item}
              class={item === step ? 'step current' : 'step'}
              aria-current={item === step && 'step'}
            >
              <span
                class={done ? 'step-mark done' : 'step-mark'}
                {...(done && { role: 'img', 'aria-label': t('Done') })}
              >
                {done ? <Icon file={passIcon} /> : index + 1}
              </span>
              <div class="step-text">
                <h2>{title}</h2>
                {done ? <DoneStep step={item} setup={setup} page={page} /> : <p>{text}</p>}
                {item === step && <CurrentStep setup={setup} step={step} page={page} />}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface StepProps extends Props {
  readonly page: PanelController;
}

function CurrentStep({ setup, step, page }: StepProps) {
  return (
    <>
      <StepProblem setup={setup} step={step} />
      <button type="button" class="button primary" onClick={() => page.post({ type: BUTTONS[step].type })}>
        {BUTTONS[step].name}
      </button>
    </>
  );
}

/** Shows the value of a completed step, and lets the user change it: a mistyped URL only fails in the next step. */
function DoneStep({ setup, step, page }: StepProps) {
  const name = step === 'baseUrl' ? t('Change Service URL') : t('Change API Key');
  return (
    <p>
      {step === 'baseUrl' && setup.serviceHost && (
        <bdi class="step-value">{escapeInvisible(setup.serviceHost)}</bdi>
      )}
      <button
        type="button"
        class="quiet-button"
        aria-label={name}
        onClick={() => page.post({ type: BUTTONS[step].type })}
      >
        {t('Change')}
      </button>
    </p>
  );
}

function StepProblem({ setup: { problem }, step }: Props) {
  if (!problem) return null;
  // The step has this button anyway.
  const actions = problem.actions.filter((action) => action !== BUTTONS[step].type);
  return (
    <div class="notice failed">
      <Icon file={errorIcon} />
      <div class="notice-text">
        <ProblemText problem={problem} />
        <ProblemActions problem={{ ...problem, actions }} />
      </div>
    </div>
  );
}

/** Shows the current step as a strip above the composer if there is a conversation to show. */
export function SetupStrip({ setup, step }: Props) {
  const page = usePage();
  return (
    <div class="strip">
      <Icon file={infoIcon} />
      <div class="notice-text">
        {setup.problem ? <ProblemText problem={setup.problem} /> : <p>{setupStrip[step]}</p>}
      </div>
      <Action name={BUTTONS[step].name} onClick={() => page.post({ type: BUTTONS[step].type })} />
    </div>
  );
}
