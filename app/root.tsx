import sans from "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2";
import { type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { loadShell } from "~/http/shell.server";
import { Document } from "./components/shell/document";
import styles from "~/styles/app.css";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "preload", as: "font", type: "font/woff2", href: sans, crossOrigin: "anonymous" },
  { rel: "icon", type: "image/svg+xml", href: "/favicon.svg" },
];

export const loader = ({ request, context }: LoaderFunctionArgs) => loadShell(request, context);

/** Toasts and the logged-in user are read again on every navigation. */
export const shouldRevalidate = () => true;

export { ErrorBoundary, meta } from "./components/shell/error-boundary";

export function Layout({ children }: { children: React.ReactNode }) {
  return <Document>{children}</Document>;
}

export default function App() {
  return <Outlet />;
}
