/**
 * Follows a link within the page by moving the focus to its target. A change of the address would make the router discard the answer of the
 * last submit, and with it the messages.
 */
export function focusField(event: React.MouseEvent<HTMLAnchorElement>) {
  const target = document.getElementById(decodeURIComponent(event.currentTarget.hash.slice(1)));
  if (!target) return;
  event.preventDefault();
  target.focus();
  target.closest(".field")?.scrollIntoView({ block: "nearest" });
}
