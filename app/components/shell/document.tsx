import { Links, LiveReload, Meta, Scripts, ScrollRestoration, useLocation } from "@remix-run/react";
import { useContext, useEffect, useRef } from "react";
import { focusField } from "../forms/focus";
import { ImpersonationBar } from "./impersonation-bar";
import { NonceContext } from "./nonce";
import { usePending } from "./pending";
import { PrintHead } from "./print-head";
import { useMaybeShell } from "./shell";
import { SiteFooter } from "./site-footer";
import { SiteHeader, StaffLinks } from "./site-header";
import { ToastRegion } from "./toast";

/** Marks the document before it is painted, so that elements that need scripts are visible only where scripts run. */
const MARK_SCRIPTS = 'document.documentElement.classList.add("js")';

/** Programs that use the portal in a browser, such as the tests, wait for this mark before they type. */
const useMarkWhenReady = () => useEffect(() => document.documentElement.classList.add("ready"), []);

/**
 * Moves the focus to the content after a change of page, as a full load does. When the same page is shown without the element that had the
 * focus, such as a question in place of a form, it is also shown from the top. A summary of errors keeps the focus. A fragment in the address
 * moves the focus to its target.
 */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  const focused = useRef<EventTarget | null>(null);
  const { pathname, hash, key } = useLocation();
  const last = useRef({ pathname, key });
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => (focused.current = target);
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    const before = last.current;
    last.current = { pathname, key };
    if (before.key === key) return;
    const target = hash === "" ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
    if (target) return target.focus({ preventScroll: true });
    if (document.activeElement?.closest(".errors")) return;
    if (before.pathname === pathname) {
      if (!(focused.current instanceof Element) || focused.current.isConnected) return;
      window.scrollTo(0, 0);
    }
    main.current?.focus({ preventScroll: true });
  }, [pathname, hash, key]);
  return main;
}

export function Document({ children }: { children: React.ReactNode }) {
  const nonce = useContext(NonceContext);
  const shell = useMaybeShell();
  const pending = usePending();
  const main = useFocusOnNewPage();
  useMarkWhenReady();
  const theme = shell?.theme ?? "system";
  return (
    <html lang="en-GB" data-theme={theme === "system" ? undefined : theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <Meta />
        <PageLinks />
        <Links />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: MARK_SCRIPTS }} />
      </head>
      <body>
        <a className="skip" href="#main" onClick={focusField}>
          Skip to the content
        </a>
        {shell && <PrintHead shell={shell} />}
        {pending && <div className="progress" aria-hidden="true" />}
        {shell?.user && <ImpersonationBar user={shell.user} />}
        {shell && <SiteHeader shell={shell} />}
        {shell?.user?.staffRow && <StaffLinks row={shell.user.staffRow} />}
        <main id="main" className="wrap" tabIndex={-1} ref={main} aria-busy={pending || undefined}>
          <ToastRegion key={shell?.user?.id} toast={shell?.toast ?? null} />
          {children}
        </main>
        {shell && <SiteFooter shell={shell} />}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
        <LiveReload nonce={nonce} />
      </body>
    </html>
  );
}

/** For crawlers: the description of a public page and its canonical address, whichever address was opened. */
function PageLinks() {
  const page = useMaybeShell()?.publicPage;
  if (!page) return null;
  return (
    <>
      <meta name="description" content={page.description} />
      <link rel="canonical" href={page.url} />
    </>
  );
}
