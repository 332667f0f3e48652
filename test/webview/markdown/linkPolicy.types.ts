import { getAllowedHref } from '../../../src/shared/markdown/inline/linkPolicy';
import type { RenderNode } from '../../../src/shared/markdown/inline/renderNode';

// Compiled with the lint, and never run: an address that wasn't checked doesn't get into the page.

export function setAddress(node: Omit<RenderNode, 'href'>, address: string): RenderNode[] {
  return [
    { ...node, href: getAllowedHref(address) ?? '' },
    // @ts-expect-error
    { ...node, href: address },
  ];
}
