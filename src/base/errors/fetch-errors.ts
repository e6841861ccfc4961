/** The codes of what the web did: names that do not resolve, fetches that fail or are refused. */

export const FETCH_ERRORS = {
  DNS_CLOSED: {
    retry: "later",
    meaning: "A name was not resolved because the agent was stopping.",
    remedy: "Nothing to do: the crawl was ending.",
  },
  DNS_NOT_FOUND: {
    retry: "never",
    meaning: "The host does not exist, or has no address: the name servers said so.",
    remedy:
      "Check the spelling of the seed or the link; the site may be gone. If no host is found at all, check this machine's network and name servers (dns.servers).",
  },
  DNS_OVERLOADED: {
    retry: "later",
    meaning: "Too many hosts were waiting to be resolved.",
    remedy: "It is tried again as the retry settings say; a faster server in dns.servers helps.",
  },
  DNS_SERVER_FAILED: {
    retry: "later",
    meaning:
      "The name servers failed, refused to answer, could not be reached, or sent invalid answers.",
    remedy: "The site's servers may be down; if all hosts fail, check dns.servers and the network.",
  },
  DNS_TIMED_OUT: {
    retry: "later",
    meaning: "No name server answered for the host within dns.timeout.",
    remedy: "Raise dns.timeout if the servers are slow; if all hosts fail, check dns.servers.",
  },
  FETCH_ADDRESS_REFUSED: {
    retry: "never",
    meaning: "A host's address is not public, or is blocked, so no connection was made.",
    remedy: "To crawl it, name its range in fetch.allowAddresses, or use --allow-private.",
  },
  FETCH_BODY_NOT_KEPT: {
    retry: "later",
    meaning:
      "A body that did not fit in memory could not be written to its temporary file, or read from it.",
    remedy:
      "The message has the reason: a full or failing disk. Free some space, or raise fetch.bodyMemory.",
  },
  FETCH_BODY_NO_ROOM: {
    retry: "later",
    meaning:
      "A body did not fit in memory, and there was no room on the disk, or no memory for its bytes on the way there.",
    remedy:
      "It is fetched again when there is. Free some space on the disk; or raise fetch.bodyMemory or lower fetch.concurrency: each connection may need 256 KiB of it.",
  },
  FETCH_CONNECT_FAILED: {
    retry: "later",
    meaning: "No connection to the server could be made: refused, reset, or no route.",
    remedy:
      "Check the host and the port of the URL; the server may be down. How often it is tried is set by fetch.retries.",
  },
  FETCH_CONTENT_CORRUPT: {
    retry: "never",
    meaning:
      "Compressed content is damaged or ends too soon; what was unpacked before that is kept.",
    remedy: "A mistake of the server, or a body that was cut: nothing to do.",
  },
  FETCH_CONTENT_NOT_ENCODED: {
    retry: "never",
    meaning: "The server says that content is compressed, but it is not; it is used as received.",
    remedy: "A mistake of the server: nothing to do.",
  },
  FETCH_CONTENT_TOO_LARGE: {
    retry: "never",
    meaning:
      "Compressed content becomes larger than a limit when it is unpacked, or takes too long; it was cut there.",
    remedy:
      "Raise fetch.maxBody if you want such pages; beware of content made to exhaust readers.",
  },
  FETCH_CONTENT_TOO_MANY_ENCODINGS: {
    retry: "never",
    meaning:
      "The server says that content was compressed more often than the limit; it is used as received.",
    remedy:
      "Such answers are made to exhaust readers, or are a mistake of the server: nothing to do.",
  },
  FETCH_CONTENT_UNKNOWN_ENCODING: {
    retry: "never",
    meaning: "Content is compressed in an unknown way; it is used as received.",
    remedy: "Nothing to do: the page is archived as received, but its links are not found.",
  },
  FETCH_DISCONNECTED: {
    retry: "later",
    meaning: "The server closed the connection before the head of its answer was complete.",
    remedy: "The server may be overloaded; how often it is tried is set by fetch.retries.",
  },
  FETCH_FILE_MISSING: {
    retry: "never",
    meaning: "A file: URL names a file that is not there.",
    remedy: "Correct the link or the seed that names it.",
  },
  FETCH_FILE_REFUSED: {
    retry: "never",
    meaning:
      "A file: URL leads out of the folders of the seeds, or to something that is not a file or folder.",
    remedy: "Give the other folder as a seed if you want it; the facts say why it was refused.",
  },
  FETCH_FILE_UNREADABLE: {
    retry: "never",
    meaning: "The operating system refused to open or read a file that a file: URL names.",
    remedy: "Check the file's permissions; the message has the system's reason.",
  },
  FETCH_MODULE_FAILED: {
    retry: "later",
    meaning:
      "A protocol module threw, or answered with something that is not an answer; the message has its reason.",
    remedy:
      "The server may be down or refuse the request; if every URL fails, correct the module that fetch.protocols names.",
  },
  FETCH_NO_SOCKET: {
    retry: "later",
    meaning: "This machine had no socket left: too many connections, descriptors or ports in use.",
    remedy:
      "Lower fetch.concurrency or fetch.keepAlive, or raise the limit on open files (`ulimit -n`).",
  },
  FETCH_PORT_REFUSED: {
    retry: "never",
    meaning: "A URL's port is not among those that are crawled, or is the crawler's own.",
    remedy: "To crawl it, add it to fetch.ports; the crawler's own ports are never crawled.",
  },
  FETCH_PROTOCOL: {
    retry: "later",
    meaning: "The server's answer is not HTTP, or its head is longer than the limit.",
    remedy:
      "Look at the server's answer: it may speak another protocol on this port, such as https. How often it is tried is set by fetch.retries.",
  },
  FETCH_PROXY_FAILED: {
    retry: "later",
    meaning:
      "The proxy could not be reached, sent an invalid answer, or could not reach the server.",
    remedy:
      "Check that fetch.proxy names the right host and port and that the proxy runs; its own log may say more.",
  },
  FETCH_PROXY_REFUSED: {
    retry: "never",
    meaning: "The proxy wants other credentials, or does not allow this server.",
    remedy:
      "Put the user and password into the URL of fetch.proxy, or ask the people who run the proxy.",
  },
  FETCH_REQUEST_INVALID: {
    retry: "never",
    meaning:
      "A request was not sent, because its URL or a header contains characters that are not allowed.",
    remedy: "Correct what the message names; such a request could be read as two.",
  },
  FETCH_ROBOTS_INCOMPLETE: {
    retry: "later",
    meaning:
      "A robots.txt was cut short, is damaged, or has an unknown encoding, so it gives no permission.",
    remedy:
      "If it continues, tell the people who run the server. How often it is tried is set by fetch.retries.",
  },
  FETCH_SCHEME_REFUSED: {
    retry: "never",
    meaning: "The URL has a scheme for which there is no protocol module.",
    remedy: "Only http, https and, for local files, file are fetched.",
  },
  FETCH_TIMED_OUT: {
    retry: "later",
    meaning: "The server did not connect or answer within a time limit, which the facts name.",
    remedy:
      "Raise fetch.connectTimeout, fetch.headerTimeout or fetch.totalTimeout if the server is only slow.",
  },
  FETCH_TLS_CERTIFICATE: {
    retry: "never",
    meaning: "The server's certificate does not verify.",
    remedy:
      "It may be expired, self-signed or for another host; fetch.insecure accepts such certificates.",
  },
  FETCH_TLS_FAILED: {
    retry: "later",
    meaning: "No TLS connection could be agreed on, or the server does not speak TLS there.",
    remedy:
      "Try the URL with http, or check the server's TLS versions and ciphers. How often it is tried is set by fetch.retries.",
  },
} as const;
