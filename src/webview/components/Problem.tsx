import { useEffect, useState } from 'preact/hooks';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { Problem, ProblemAction } from '../../shared/view/viewModel';
import { t } from '../base/l10n';
import { usePage } from '../page/pageServices';

/** Shows a problem, announced at once: our sentence, and the service's own message as escaped text. */
export function ProblemText({ problem }: { readonly problem: Problem }) {
  return (
    <div role="alert">
      <p>{problem.text}</p>
      {problem.detail && (
        <p class="problem-detail">
          <bdi>{escapeInvisible(problem.detail)}</bdi>
        </p>
      )}
      {problem.fields && problem.fields.length > 0 && (
        <ul class="problem-fields">
          {problem.fields.map(({ name, messages }) => (
            <li key={name}>
              <bdi class="problem-field">{escapeInvisible(name)}</bdi>
              {': '}
              <bdi>{escapeInvisible(messages.join(' '))}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ActionsProps {
  readonly problem: Problem;
  /** The conversation and how to retry what failed in it; absent for problems of the setup. */
  readonly conversationId?: string;
  readonly onRetry?: () => void;
  /** Replaces a partial reply by the full one. */
  readonly onShowWhole?: () => void;
}

/** The actions for a problem, outside the alert so that a countdown isn't read out every second. */
export function ProblemActions({ problem, conversationId, onRetry, onShowWhole }: ActionsProps) {
  const page = usePage();
  if (problem.actions.length === 0) return null;
  const button = (action: ProblemAction) => {
    switch (action) {
      case 'retry':
        return (
          onRetry && (
            <RetryButton key={`${action} ${problem.retryAt}`} retryAt={problem.retryAt} onClick={onRetry} />
          )
        );
      case 'showWhole':
        return onShowWhole && <Action key={action} name={t('Show Full Reply')} onClick={onShowWhole} />;
      case 'setApiKey':
        return (
          <Action key={action} name={t('Set API Key')} onClick={() => page.post({ type: 'setApiKey' })} />
        );
      case 'setBaseUrl':
        return (
          <Action
            key={action}
            name={t('Set Service URL')}
            onClick={() => page.post({ type: 'setBaseUrl' })}
          />
        );
      case 'manageServices':
        return (
          <Action
            key={action}
            name={t('Manage Services')}
            onClick={() => page.post({ type: 'manageServices' })}
          />
        );
      case 'addService':
        return (
          conversationId && (
            <Action
              key={action}
              name={t('Add Service')}
              onClick={() => page.post({ type: 'noticeAction', conversationId, action })}
            />
          )
        );
      case 'changeBot':
        return (
          conversationId && (
            <Action
              key={action}
              name={t('Change Bot')}
              onClick={() => page.post({ type: 'changeBot', conversationId })}
            />
          )
        );
      case 'showLog':
        return <Action key={action} name={t('Show Log')} onClick={() => page.post({ type: 'showLog' })} />;
    }
  };
  return <div class="problem-actions">{problem.actions.map(button)}</div>;
}

interface RetryProps {
  readonly retryAt: number | undefined;
  readonly onClick: () => void;
}

/** A retry button, which counts down first if the service asked to wait. */
function RetryButton({ retryAt = 0, onClick }: RetryProps) {
  const [now, setNow] = useState(Date.now);
  const left = retryAt - now;
  useEffect(() => {
    if (left <= 0) return;
    // Wakes up when the displayed number of seconds changes.
    const timer = setTimeout(() => setNow(Date.now()), left % 1000 || 1000);
    return () => clearTimeout(timer);
  }, [left]);
  const waits = left > 0;
  return (
    <Action
      name={waits ? t('Retry in {0} s', Math.ceil(left / 1000)) : t('Retry')}
      disabled={waits}
      onClick={onClick}
    />
  );
}

interface ActionProps {
  readonly name: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
}

export function Action({ name, onClick, disabled }: ActionProps) {
  return (
    <button type="button" class="button" disabled={disabled} onClick={onClick}>
      {name}
    </button>
  );
}
