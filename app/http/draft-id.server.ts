/** The draft's id in the address of a page; null when there is none or it is no id. */
export function draftIdOf(request: Request): string | null {
  const id = new URL(request.url).searchParams.get("draft") ?? "";
  return /^[\w-]{22}$/.test(id) ? id : null;
}
