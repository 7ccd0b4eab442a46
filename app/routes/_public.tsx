export { Outlet as default } from "@remix-run/react";
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
