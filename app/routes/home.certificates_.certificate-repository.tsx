export { default, loader, meta } from "./home.certificate-repository";
