import { useLocation } from "@remix-run/react";
import { findPublicPage } from "~/lib/public-pages";
import { useMaybeShell } from "./shell";

/** For crawlers: a public page's description and its one address, whatever address it was opened by. */
export function PageLinks() {
  const page = findPublicPage(useLocation().pathname);
  const publicUrl = useMaybeShell()?.portal.publicUrl;
  if (!page || publicUrl === undefined) return null;
  return (
    <>
      <meta name="description" content={page.description} />
      <link rel="canonical" href={publicUrl + page.path} />
    </>
  );
}
