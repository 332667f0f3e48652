import closeIcon from '@vscode/codicons/src/icons/close.svg';
import infoIcon from '@vscode/codicons/src/icons/info.svg';
import warningIcon from '@vscode/codicons/src/icons/warning.svg';
import type { ComponentChildren } from 'preact';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { Notice, ServiceProposal } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { IconButton } from '../components/IconButton';
import { Action } from '../components/Problem';
import { usePage } from '../page/pageServices';

const noticeActions = {
  takeOver: t('Take Over'),
  startAnew: t('Continue in New Conversation'),
  tryAgain: t('Try Again'),
  showLog: t('Show Log'),
  continueHere: t('Continue with This Bot'),
  addService: t('Add Service'),
} as const;

/** In characters: beside its buttons, a longer text would be a tall, narrow column. */
const LONG_TEXT = 100;

interface Props {
  readonly conversationId: string;
  readonly notice: Notice;
}

/** Shows a notice about the conversation above the composer, for as long as it applies. */
export function NoticeBanner({ conversationId, notice: { kind, text, actions } }: Props) {
  const page = usePage();
  return (
    <Strip warns={kind === 'storage'} text={text} stacked={text.length > LONG_TEXT}>
      {actions.length > 0 && (
        <div class="strip-actions">
          {actions.map((action) => (
            <Action
              key={action}
              name={noticeActions[action]}
              onClick={() => page.post({ type: 'noticeAction', conversationId, action })}
            />
          ))}
        </div>
      )}
    </Strip>
  );
}

/** Shows why the host couldn't do what the user asked for. */
export function FailureBanner({ text }: { readonly text: string }) {
  const page = usePage();
  return (
    <Strip warns text={text}>
      <IconButton icon={closeIcon} name={t('Close')} onClick={() => page.closeFailure()} />
    </Strip>
  );
}

/** Says which service the workspace proposes, and lets the user connect to it or decline. */
export function ProposalBanner({ host }: ServiceProposal) {
  const page = usePage();
  const decline = (forWorkspace: boolean) => page.post({ type: 'declineProposed', forWorkspace });
  return (
    <Strip warns={false} text={t('This workspace uses {0}.', host)} stacked>
      <div class="strip-actions">
        <Action name={t('Connect')} onClick={() => page.post({ type: 'connectProposed' })} />
        <Action name={t('Not Now')} onClick={() => decline(false)} />
        <Action name={t('Don’t Ask for This Workspace')} onClick={() => decline(true)} />
      </div>
    </Strip>
  );
}

interface StripProps {
  readonly warns: boolean;
  readonly text: string;
  /** Whether the buttons are always below the text. */
  readonly stacked?: boolean;
  readonly children: ComponentChildren;
}

function Strip({ warns, text, stacked, children }: StripProps) {
  return (
    <div class={`strip${warns ? ' warning' : ''}${stacked ? ' stacked' : ''}`}>
      <Icon file={warns ? warningIcon : infoIcon} />
      {/* The buttons are outside the live region, so that only the new text is read out. */}
      <p class="notice-text" role={warns ? 'alert' : 'status'}>
        {escapeInvisible(text)}
      </p>
      {children}
    </div>
  );
}
