/** A button that looks like a link. */
export function QuietButton({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="quiet-button" onClick={onClick}>
      {name}
    </button>
  );
}
