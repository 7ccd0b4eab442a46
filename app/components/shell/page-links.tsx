import { useMaybeShell } from "./shell";

/** For crawlers: a public page's description and its one address, whatever address it was opened by. */
export function PageLinks() {
  const page = useMaybeShell()?.publicPage;
  if (!page) return null;
  return (
    <>
      <meta name="description" content={page.description} />
      <link rel="canonical" href={page.url} />
    </>
  );
}
