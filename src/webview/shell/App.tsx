import { useLayoutEffect } from 'preact/hooks';
import { findPendingDocuments, getStatusReadiness } from '../../shared/view/documentReadiness';
import type { ConversationView } from '../../shared/view/viewModel';
import { Composer } from '../composer/Composer';
import { Documents } from '../documents/Documents';
import { ForkedFrom, ForkProvider, useForks } from '../forks/forkLinks';
import { usePage } from '../page/pageServices';
import { findStreamingReply, hasComposer, type PageState } from '../page/state';
import { Transcript } from '../transcript/Transcript';
import { EmptyState } from './EmptyState';
import { Header } from './Header';
import { FailureBanner, NoticeBanner, ProposalBanner } from './NoticeBanner';
import { Setup, SetupStrip } from './Setup';

export function App({ state }: { readonly state: PageState }) {
  const page = usePage();
  const { panel, composer, sends, opened, prepended, reveal, failure } = state;
  const { conversation, setup, sendWith, chatFont } = panel;
  const streaming = findStreamingReply(conversation) !== undefined;
  const step = setup.step === 'done' ? undefined : setup.step;
  const { turns } = conversation;
  // Documents are shown above the composer: without a message the transcript is empty.
  const empty = !conversation.earlier && turns.every(({ kind }) => kind === 'document');
  // On the very first start there is nothing to navigate to but the setup.
  const firstRun = step !== undefined && turns.length === 0 && panel.conversations.length === 0;

  const forks = useForks(conversation, panel.conversations);

  useLayoutEffect(() => {
    if (!streaming) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      event.preventDefault();
      page.stopReply();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [page, streaming]);

  return (
    <div
      class={streaming || step ? 'app cannot-send' : 'app'}
      style={chatFont && { fontFamily: chatFont.family, fontSize: `${chatFont.size}px` }}
    >
      {!firstRun && (
        <Header conversation={conversation} conversations={panel.conversations} services={panel.services} />
      )}
      {empty ? (
        <main class="middle">
          {step ? (
            <>
              {panel.proposal && <ProposalBanner {...panel.proposal} />}
              <Setup setup={setup} step={step} />
            </>
          ) : (
            <>
              <ForkProvider value={forks}>
                <ForkedFrom />
              </ForkProvider>
              <EmptyState bot={conversation.bot} sendWith={sendWith} />
            </>
          )}
        </main>
      ) : (
        <ForkProvider value={forks}>
          <Transcript
            key={opened}
            conversationId={conversation.id}
            turns={conversation.turns}
            sends={sends}
            prepended={prepended}
            earlier={conversation.earlier === true}
            reveal={reveal}
          />
        </ForkProvider>
      )}
      {hasComposer(panel) && (
        <footer class="foot">
          {step && <SetupStrip setup={setup} step={step} />}
          {panel.proposal && <ProposalBanner {...panel.proposal} />}
          {panel.notice && <NoticeBanner conversationId={conversation.id} notice={panel.notice} />}
          {failure !== undefined && <FailureBanner text={failure} />}
          <Documents
            conversationId={conversation.id}
            turns={turns}
            serviceDocuments={conversation.serviceDocuments}
            uploadFolder={panel.uploadFolder}
            sync={panel.documentSync}
          />
          <Composer
            conversationId={conversation.id}
            bot={conversation.bot}
            composer={composer}
            composing={conversation.composing}
            queue={conversation.queue}
            overflow={panel.overflow}
            quota={panel.quota}
            sendWith={sendWith}
            streaming={streaming}
            converting={findPendingDocuments(turns).length > 0 || isConvertingOthers(conversation)}
            blocked={step !== undefined}
          />
        </footer>
      )}
      <div id="announcements" class="unseen" role="status" />
    </div>
  );
}

function isConvertingOthers({ serviceDocuments = [] }: ConversationView): boolean {
  return serviceDocuments.some(
    ({ origin, status }) => origin === 'addedElsewhere' && getStatusReadiness(status) === 'pending',
  );
}
