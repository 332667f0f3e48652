import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Turn } from '../../shared/view/viewModel';
import { adoptStyles } from '../base/adoptStyles';
import { t } from '../base/l10n';
import type { Scroller } from '../find/matchView';
import { usePage } from '../page/pageServices';
import { expandAround } from '../transcript/turns/expandAround';
import { TimelineList } from './TimelineList';
import { TimelineRail } from './TimelineRail';
import css from './timeline.css?text';
import { findQuestion, type TimelineRow } from './timelineRows';
import { useTurnInSight } from './useTurnInSight';

interface Props {
  /** A new object each time that the list is to open, or to get the focus; undefined while it is closed. */
  readonly request: object | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLElement | null>;
  readonly autoScroller: RefObject<Pick<Scroller, 'scrollTo'> | undefined>;
  readonly turns: readonly Turn[];
  readonly earlier: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

adoptStyles(css);

/** A page from this width on has room for the rail beside the transcript. */
const WIDE_PAGE_QUERY = '(width >= 960px)';

/** Fewer questions need no rail. */
const MIN_RAIL_QUESTIONS = 2;

/** The questions of the conversation and the headings of the replies, as a list; in a wide page as a rail until it opens. */
export function Timeline(props: Props) {
  const [isWide, setIsWide] = useState(false);
  useLayoutEffect(() => {
    const wide = matchMedia(WIDE_PAGE_QUERY);
    const update = () => setIsWide(wide.matches);
    update();
    wide.addEventListener('change', update);
    return () => wide.removeEventListener('change', update);
  }, []);
  const questionCount = props.turns.filter(({ kind }) => kind === 'message').length;
  const isShown = props.request || (isWide && questionCount >= MIN_RAIL_QUESTIONS);
  return isShown ? <Navigation {...props} /> : null;
}

function Navigation({ request, scroller, content, autoScroller, turns, earlier, onOpen, onClose }: Props) {
  const page = usePage();
  const current = findQuestion(turns, useTurnInSight(scroller));
  const goToRow = ({ turnId, heading }: TimelineRow) => {
    onClose();
    page.goToTurn(turnId);
    if (!heading?.element.isConnected) return;
    expandAround(heading.element);
    autoScroller.current?.scrollTo(heading.element);
  };
  return (
    <nav class={request ? 'timeline open' : 'timeline'} aria-label={t('Timeline')}>
      {request ? (
        <TimelineList
          request={request}
          content={content}
          turns={turns}
          earlier={earlier}
          current={current}
          onGo={goToRow}
          onClose={onClose}
        />
      ) : (
        <TimelineRail turns={turns} current={current} onGo={goToRow} onOpen={onOpen} />
      )}
    </nav>
  );
}
