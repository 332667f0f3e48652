import { MAX_ADDRESS_LENGTH } from '../../text/linkAddress';

declare const allowed: unique symbol;

/** The address of a link or an image that the page may have; only this file makes it. */
export type AllowedAddress = string & { readonly [allowed]: true };

/** Returns the destination if a reply may link to it: the web or mail. Undefined for all else, also relative addresses. */
export function getAllowedHref(destination: string): AllowedAddress | undefined {
  const isAllowed = destination.length <= MAX_ADDRESS_LENGTH && /^(?:https?:\/\/|mailto:)/i.test(destination);
  return isAllowed ? (destination as AllowedAddress) : undefined;
}

/** Returns the source of an image if it may be shown: only data URLs of pictures. Nothing is ever loaded. */
export function getAllowedImageSource(destination: string): AllowedAddress | undefined {
  // What follows is checked when a picture is shown: references may share a destination of megabytes.
  const isAllowed = /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(destination);
  return isAllowed ? (destination as AllowedAddress) : undefined;
}
