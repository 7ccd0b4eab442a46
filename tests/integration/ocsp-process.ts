// Another process of the portal that answers OCSP: prints its port.
import { type AddressInfo } from "node:net";
import express from "express";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { ocspHandler } from "~/http/ocsp.server";

const server = express()
  .use("/ocsp", ocspHandler(ocspResponder()))
  .listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
