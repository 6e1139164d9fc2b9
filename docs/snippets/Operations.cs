// The five operations and the look-up from C#, with the framework's own libraries (.NET, or Mono):
//     mcs Operations.cs -r:System.Net.Http -r:System.Runtime.Serialization
//     mono Operations.exe ADDRESS CLIENT KEY SECRET [SECONDS [WAIT]]
// At a platform ADDRESS ends in /v2. At the shop's own server, http://127.0.0.1:9999, nothing else changes:
// it reads neither CLIENT nor KEY. Prints each receipt's number.
// SECONDS: when to give up (60). WAIT: how long to wait for an answer (25; one comes within 20).
// Ends with 0: all issued, 1: refused, nothing was signed, 2: not known yet, or nobody is there.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading.Tasks;

[DataContract]
class Receipt
{
    [DataMember(Name = "invoiceNumber")] public string Number { get; set; }
    [DataMember(Name = "code")] public long Code { get; set; }
    [DataMember(Name = "class")] public string Class { get; set; }
    [DataMember(Name = "message")] public string Message { get; set; }
}

class Answer
{
    public int Status;   // 0: no answer came
    public List<Receipt> Receipts = new List<Receipt>();
}

class Ended : Exception
{
    public readonly int Status;

    public Ended(int status, string words) : base(words)
    {
        Status = status;
    }
}

static class Operations
{
    static readonly HttpClient Http = new HttpClient();

    const string Item = @"""items"": [{""sku"": 1, ""quantity"": 2, ""unitPrice"": 58.99}]";
    const string Delivery = @"""receiptDelivery"": {""pdf"": false}";

    static string receipts, client;
    static DateTime until;

    static int Main(string[] words)
    {
        receipts = words[0] + "/fiscalization/receipts";
        client = words[1];
        var pair = Encoding.UTF8.GetBytes(words[2] + ":" + words[3]);
        Http.DefaultRequestHeaders.Authorization =
            new AuthenticationHeaderValue("Basic", Convert.ToBase64String(pair));
        Http.Timeout = TimeSpan.FromSeconds(words.Length > 5 ? int.Parse(words[5]) : 25);
        until = DateTime.UtcNow.AddSeconds(words.Length > 4 ? int.Parse(words[4]) : 60);
        try
        {
            Run().GetAwaiter().GetResult();
            return 0;
        }
        catch (Ended ended)
        {
            Console.Error.WriteLine(ended.Message);
            return ended.Status;
        }
    }

    static async Task Run()
    {
        var key = Guid.NewGuid().ToString("N");
        var sale = Body("normal", @"{""cash"": 200}");
        var sold = await Issue("sale", "", sale, key);
        if (await Issue("again", "", sale, key) != sold)
        {
            throw new Ended(1, "another receipt for the same key");
        }
        await Issue("copy", "/" + sold + "/copy", Delivery);
        await Issue("refund", "/" + sold + "/refund",
            @"""payments"": {""cash"": 117.98}, ""buyerId"": ""10:100000049"", " + Delivery);

        var paid = await Issue("advance", "", Body("advance", @"{""wiretransfer"": 50}"));
        var more = await Issue("payment", "/" + paid + "/advance",
            @"""payments"": {""card"": 20}, " + Delivery);
        await Issue("close", "/" + more + "/close", @"""payments"": {""cash"": 47.98}, " + Delivery);
    }

    static string Body(string type, string payments)
    {
        return @"""invoiceType"": """ + type + @""", ""transactionType"": ""sale"", ""payments"": "
            + payments + ", " + Item + ", " + Delivery;
    }

    // Prints the receipts of one operation; the number of the last.
    static async Task<string> Issue(string operation, string path, string members, string key = null)
    {
        key = key ?? Guid.NewGuid().ToString("N");
        var told = "no answer";
        while (DateTime.UtcNow < until)
        {
            var answer = await Post(path, members, key);
            if (answer.Status >= 400)
            {
                var refusal = answer.Receipts[0];
                told = refusal.Code + " " + refusal.Class + ": " + refusal.Message;
                if (answer.Status < 500 && refusal.Class != "wait")
                {
                    throw new Ended(1, told);
                }
            }
            while (IsNotKnown(answer.Status) && DateTime.UtcNow < until)
            {
                await Task.Delay(500);
                var place = receipts + "/key:" + key + "?clientId=" + client;
                answer = await Ask(new HttpRequestMessage(HttpMethod.Get, place));
                if (answer.Status == 200)
                {
                    Console.Error.WriteLine("looked up");
                }
            }
            if (answer.Status == 200)
            {
                foreach (var one in answer.Receipts)
                {
                    Console.WriteLine(operation + " " + one.Number);
                }
                return answer.Receipts.Last().Number;
            }
            await Task.Delay(500);
        }
        throw new Ended(2, told);
    }

    static bool IsNotKnown(int status)
    {
        return status == 0 || status == 202 || status >= 500;
    }

    static Task<Answer> Post(string path, string members, string key)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, receipts + path);
        request.Headers.Add("Idempotency-Key", key);
        var body = @"{""clientId"": """ + client + @""", " + members + "}";
        request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        return Ask(request);
    }

    static async Task<Answer> Ask(HttpRequestMessage request)
    {
        try
        {
            var response = await Http.SendAsync(request);
            var body = (await response.Content.ReadAsStringAsync()).Trim();
            var list = body.StartsWith("[") ? body : "[" + body + "]";
            var reader = new DataContractJsonSerializer(typeof(List<Receipt>));
            var read = (List<Receipt>)reader.ReadObject(new MemoryStream(Encoding.UTF8.GetBytes(list)));
            return new Answer { Status = (int)response.StatusCode, Receipts = read };
        }
        catch (Exception error) when (
            error is HttpRequestException || error is OperationCanceledException
            || error is IOException || error is SerializationException)
        {
            return new Answer();   // refused, cut off or too late: not known
        }
    }
}
