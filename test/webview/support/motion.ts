/** Runs in the page: returns the names of animations that do more than switch at once. */
export function findMoving(): string[] {
  return document.getAnimations().flatMap((animation) => {
    const frames = (animation.effect as KeyframeEffect).getKeyframes();
    const atOnce = frames.every(({ easing }) => easing.startsWith('step'));
    return animation.playState === 'running' && !atOnce ? [(animation as CSSAnimation).animationName] : [];
  });
}
