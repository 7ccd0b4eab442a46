export { action, default, loader, meta } from "./_public.login";
