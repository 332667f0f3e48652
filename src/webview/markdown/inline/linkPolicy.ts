/** Where a link in a reply may lead: the web and mail. Undefined for anything else, relative addresses too. */
export function linkHref(destination: string): string | undefined {
  return /^(?:https?:\/\/|mailto:)/i.test(destination) ? destination : undefined;
}

/** What of an image may be shown as one: a picture that the reply itself holds. Nothing is ever loaded. */
export function imageSource(destination: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]*$/i.test(destination) ? destination : undefined;
}
