// Run with each look at the server's health: makes it a replica set of one, and Folio's user in it.
const fs = require("fs");
const read = (name) => fs.readFileSync(`/secrets/mongo/${name}`, "utf8").trim();
const admin = db.getSiblingDB("admin");
admin.auth("root", read("root-password"));
if (!db.hello().setName) rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "mongo:27017" }] });
if (!db.hello().isWritablePrimary) quit(1);
if (!admin.getUser("folio")) {
  const roles = ["folio", "folio_vault"].flatMap((name) => ["readWrite", "dbAdmin"].map((role) => ({ role, db: name })));
  admin.createUser({ user: "folio", pwd: read("folio-password"), roles });
}
