import type { JSHandle, Page } from 'playwright-core';

/** Runs in the page: returns the names of animations that do more than switch at once. */
export function findMoving(): string[] {
  return document.getAnimations().flatMap((animation) => {
    const frames = (animation.effect as KeyframeEffect).getKeyframes();
    const atOnce = frames.every(({ easing }) => easing.startsWith('step'));
    return animation.playState === 'running' && !atOnce ? [(animation as CSSAnimation).animationName] : [];
  });
}

/** Makes a revealed turn stay highlighted: a slow test would miss the two seconds. Returns the style sheet. */
export function holdHighlight(page: Page): Promise<JSHandle<CSSStyleSheet>> {
  return page.evaluateHandle(() => {
    const held = new CSSStyleSheet();
    held.replaceSync('.revealed { animation-duration: 600s; }');
    document.adoptedStyleSheets.push(held);
    return held;
  });
}
