/** Runs in the page: the names of its animations that do more than change at once. */
export function findMoving(): string[] {
  return document.getAnimations().flatMap((animation) => {
    const frames = (animation.effect as KeyframeEffect).getKeyframes();
    const atOnce = frames.every(({ easing }) => easing.startsWith('step'));
    return animation.playState === 'running' && !atOnce ? [(animation as CSSAnimation).animationName] : [];
  });
}
