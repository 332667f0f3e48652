import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { TurnReader, type TurnUpdate } from '../transcript/turns/turnReader';
import { createHeadingRows, type Heading, type TimelineRow } from './timelineRows';

/** Longest time that the headings wait for an idle page. */
const MAX_DELAY_MS = 200;
const HEADING_SELECTOR = '.markdown :is(h1, h2, h3, h4, h5, h6)';

/** Returns the rows of all headings in the page by the IDs of their replies; follows changes of the page. */
export function useHeadings(
  content: RefObject<HTMLElement | null>,
): ReadonlyMap<string, readonly TimelineRow[]> {
  const [rows, setRows] = useState<ReadonlyMap<string, readonly TimelineRow[]>>(new Map());
  useEffect(() => {
    let reader: TurnReader<readonly Heading[]> | undefined;
    const start = () => {
      if (!content.current) return;
      reader = new TurnReader(content.current, readHeadings, (update) =>
        setRows((before) => addHeadings(before, update)),
      );
    };
    // After the list is painted; effects may run before.
    const idle = requestIdleCallback(start, { timeout: MAX_DELAY_MS });
    return () => {
      cancelIdleCallback(idle);
      reader?.dispose();
    };
  }, [content]);
  return rows;
}

/** Returns the rows with those of changed replies; the same map if no reply had or has headings. */
function addHeadings(
  before: ReadonlyMap<string, readonly TimelineRow[]>,
  update: TurnUpdate<readonly Heading[]>,
): ReadonlyMap<string, readonly TimelineRow[]> {
  const changed = update.filter(([turnId, headings = []]) => headings.length > 0 || before.has(turnId));
  if (changed.length === 0) return before;
  const rows = new Map(before);
  for (const [turnId, headings = []] of changed) {
    if (headings.length > 0) rows.set(turnId, createHeadingRows(turnId, headings));
    else rows.delete(turnId);
  }
  return rows;
}

function readHeadings(turn: HTMLElement): readonly Heading[] {
  if (!turn.matches('.reply')) return [];
  return [...turn.querySelectorAll<HTMLElement>(HEADING_SELECTOR)].map((element) => ({
    text: element.textContent,
    level: Number(element.localName.slice(1)),
    element,
  }));
}
