/** A formula in the page, shown as its source. */
export interface Formula {
  readonly element: HTMLElement;
  readonly tex: string;
  readonly display: boolean;
}
