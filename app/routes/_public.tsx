export { Outlet as default } from "@remix-run/react";
