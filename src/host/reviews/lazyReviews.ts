/** Lazy entry point for reviews of changes. */

export { ReviewActions } from './reviewActions';
export { ReviewMemory } from './reviewMemory';
export { ReviewReplies } from './reviewReplies';
