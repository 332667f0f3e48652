/** Takes the place of linkify-it in the bundles: markdown-it creates one, but links no bare URLs here. */
export class LinkifyIt {}
