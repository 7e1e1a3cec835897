const form = document.getElementById("key-form");
const notice = document.getElementById("notice");

function say(text, isWrong = false) {
  notice.textContent = text;
  notice.classList.toggle("wrong", isWrong);
}

async function open(key) {
  const answer = await fetch("/service/openapi.json", { headers: { "X-API-Key": key } });
  const document = await answer.json();
  if (!answer.ok) throw new Error(document.error.message);
  say("");
  const reference = window.SwaggerUIBundle({
    spec: document,
    dom_id: "#reference",
    deepLinking: false,
    validatorUrl: null,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    requestInterceptor: (request) => {
      request.headers["X-API-Key"] = key;
      return request;
    },
  });
  window.reference = reference;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  open(form.elements.key.value.trim()).catch((error) => say(error.message, true));
});
