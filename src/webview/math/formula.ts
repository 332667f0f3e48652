/** A formula in the page, which shows its source. */
export interface Formula {
  readonly element: HTMLElement;
  readonly tex: string;
  readonly display: boolean;
}
