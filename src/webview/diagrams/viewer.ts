import type { InertSvg } from './inertSvg';

const MIN_ZOOM = 0.05;
const MAX_ZOOM = 20;
const ZOOM_STEP = 1.25;
/** The room around a diagram that fits, in px; the same as in the style sheet. */
const PADDING = 32;

/**
 * Shows a diagram that is panned by scrolling: with the arrow keys, the wheel, or by dragging it. It is zoomed with
 * +, - and 0, and with Ctrl and the wheel.
 */
export class Viewer {
  readonly #stage: HTMLElement;
  readonly #image = new Image();
  #size = { width: 1, height: 1 };
  #zoom = 1;
  /** Whether the zoom follows the size of the tab. */
  #fits = true;

  constructor(stage: HTMLElement) {
    this.#stage = stage;
    this.#image.draggable = false;
    this.#image.className = 'diagram';
    stage.addEventListener('keydown', (event) => this.#onKeyDown(event));
    stage.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false });
    stage.addEventListener('pointerdown', (event) => this.#onPointerDown(event));
    new ResizeObserver(() => {
      if (this.#fits) this.fit();
    }).observe(stage);
  }

  /** Shows a diagram, keeping the zoom if it is drawn again. */
  showDiagram({ width, height }: InertSvg, url: string, name: string): void {
    this.#size = { width, height };
    this.#image.src = url;
    this.#image.alt = name;
    this.#stage.replaceChildren(this.#image);
    if (this.#fits) this.fit();
    else this.#setZoom(this.#zoom);
  }

  zoomIn(): void {
    this.#zoomAround(this.#zoom * ZOOM_STEP);
  }

  zoomOut(): void {
    this.#zoomAround(this.#zoom / ZOOM_STEP);
  }

  /** Shows the whole diagram, at its own size if there is room. */
  fit(): void {
    const { clientWidth, clientHeight } = this.#stage;
    const { width, height } = this.#size;
    this.#setZoom(Math.min(1, (clientWidth - PADDING) / width, (clientHeight - PADDING) / height));
    this.#fits = true;
  }

  #setZoom(zoom: number): void {
    this.#zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));
    this.#image.style.width = `${this.#size.width * this.#zoom}px`;
    this.#image.style.height = `${this.#size.height * this.#zoom}px`;
  }

  /** Zooms around a point of the stage, by default its center. */
  #zoomAround(zoom: number, x = this.#stage.clientWidth / 2, y = this.#stage.clientHeight / 2): void {
    this.#fits = false;
    const before = this.#image.getBoundingClientRect();
    const stage = this.#stage.getBoundingClientRect();
    const [right, down] = [
      (stage.left + x - before.left) / before.width,
      (stage.top + y - before.top) / before.height,
    ];
    this.#setZoom(zoom);
    const after = this.#image.getBoundingClientRect();
    this.#stage.scrollBy({
      left: after.left + right * after.width - stage.left - x,
      top: after.top + down * after.height - stage.top - y,
      behavior: 'instant',
    });
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') this.zoomIn();
    else if (event.key === '-') this.zoomOut();
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
  }

  #onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = this.#stage.getBoundingClientRect();
    this.#zoomAround(this.#zoom * 2 ** (-event.deltaY / 200), event.clientX - left, event.clientY - top);
  }

  #onPointerDown({ pointerId, button }: PointerEvent): void {
    if (button !== 0) return;
    const stage = this.#stage;
    stage.setPointerCapture(pointerId);
    const onMove = ({ movementX, movementY }: PointerEvent) => stage.scrollBy(-movementX, -movementY);
    stage.addEventListener('pointermove', onMove);
    stage.addEventListener('lostpointercapture', () => stage.removeEventListener('pointermove', onMove), {
      once: true,
    });
  }
}
