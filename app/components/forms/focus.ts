/**
 * Follows a link to a place in the page by moving the focus there. Going through the address would make the router
 * drop the answer of the last submit, and the messages with it.
 */
export function focusField(event: React.MouseEvent<HTMLAnchorElement>) {
  const target = document.getElementById(decodeURIComponent(event.currentTarget.hash.slice(1)));
  if (!target) return;
  event.preventDefault();
  target.focus();
  target.closest(".field")?.scrollIntoView({ block: "nearest" });
}
